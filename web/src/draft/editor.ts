import { batch, signal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { Letter } from '../../../src/model/mail/letter.ts'
import { ApiError, ask, get, sentenceOf } from '../page/api.ts'
import { putDraft } from '../threads/store.ts'
import { texts } from '../page/texts.ts'
import { dropCopy, keepCopy, emptyFields, readCopy, sameFields, type DraftFields } from './local-copy.ts'

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'offline' | 'conflict' | 'refused'

/** How to create a draft that the server does not have yet. */
export type Beginning = ({ kind: 'reply'; threadId: string } | { kind: 'new'; inboxId: string }) & {
  /** The ended draft whose kind and files it has. */
  after?: string
}

/** What its text is kept as on this device until the server has it. */
export function copyName(beginning: Beginning): string {
  return beginning.kind === 'new' ? 'new' : `reply:${beginning.threadId}`
}

const pause = 900

let made = 0

function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

/** One open draft: what is typed, what the server has, and whether they differ. */
export class DraftEditor {
  /** Unchanged when the server first saves it, so the component stays mounted and keeps the cursor. */
  readonly key = ++made
  readonly draft = signal<Draft | null>(null)
  readonly fields = signal<DraftFields>(emptyFields)
  readonly state = signal<SaveState>('saved')
  /** A newer revision that somebody else saved during typing. */
  readonly conflict = signal<Draft | null>(null)
  readonly problem = signal<string | null>(null)
  /** The mail as it would be sent. What follows the text in it is shown below the field. */
  readonly letter = signal<Letter | null>(null)
  /** What is sent below the text: signature and quoted original. */
  readonly tail = signal<string | null>(null)
  /** Files being uploaded, or waiting for it. */
  readonly uploading = signal<readonly File[]>([])
  /** Whether unsaved text was found on this device. */
  readonly restored = signal(false)
  /** Kept on this device alone until its author has chosen to write it rather than to continue a colleague's draft. */
  readonly held = signal(false)
  /** One per recipient field: commits what is typed there and returns whether it was valid. */
  readonly unfinished = new Set<() => boolean>()
  /** Called once, when the server first has the draft. */
  onBegun: (draft: Draft) => void = () => undefined
  beginning: Beginning | null = null
  #idempotencyKey = newKey()
  /** What was sent without an answer. It is sent again as it was, so that the server does not take it for a new edit. */
  #unanswered: DraftFields | null = null
  #name: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | null = null
  #ended = false
  #begun = false

  constructor(from: Draft | Beginning, fields = emptyFields) {
    if ('id' in from) {
      this.#name = from.id
      this.#adopt(from)
    } else {
      this.#name = copyName(from)
      this.beginning = from
      this.fields.value = fields
    }
    this.#restore()
  }

  /** Whether the server may have the draft although this page does not know its id yet. */
  get isBeginning(): boolean {
    const isSaving = this.state.value === 'saving'
    return this.draft.value === null && (isSaving || this.#unanswered !== null)
  }

  get editable(): boolean {
    const status = this.draft.value?.status
    return status === undefined || ['proposed', 'editing', 'stale', 'failed'].includes(status)
  }

  #adopt(draft: Draft): void {
    const { text, from, to, cc, bcc, subject } = draft
    batch(() => {
      this.draft.value = draft
      this.fields.value = { text, from, to, cc, bcc, subject }
    })
  }

  #restore(): void {
    const copy = readCopy(this.#name)
    if (!copy || !this.editable) return
    const { revision, savedAt: _, ...fields } = copy
    if (sameFields(fields, this.fields.value)) return dropCopy(this.#name)
    this.fields.value = fields
    this.restored.value = true
    const draft = this.draft.value
    if (draft && revision !== draft.revision) {
      this.conflict.value = draft
      this.state.value = 'conflict'
    } else {
      this.state.value = 'unsaved'
      this.#schedule()
    }
  }

  change(change: Partial<DraftFields>): void {
    const now = { ...this.fields.value, ...change }
    if (sameFields(now, this.fields.value)) return
    this.fields.value = now
    keepCopy(this.#name, { ...now, revision: this.draft.value?.revision ?? null })
    if (this.state.value === 'conflict') return
    this.state.value = 'unsaved'
    this.#schedule()
  }

  #schedule(delay = pause): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.save(), delay)
  }

  /** Resolves once everything typed so far is saved, or saving has failed. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer)
    while (this.#saving) await this.#saving
    if (this.#ended || this.state.value === 'conflict') return false
    if (this.held.value) {
      this.problem.value = texts.draft.choose
      return false
    }
    if (this.state.value === 'saved') return this.draft.value !== null
    // An empty draft is not created.
    if (this.draft.value === null && !this.#begun && this.fields.value.text.trim() === '') return false
    this.#saving = this.#saveOnce().finally(() => (this.#saving = null))
    await this.#saving
    // Typed during the request.
    if (this.state.peek() === 'unsaved') return this.save()
    return this.state.peek() === 'saved'
  }

  async #saveOnce(): Promise<void> {
    const sent = this.#unanswered ?? this.fields.value
    this.#unanswered = null
    const { from, ...rest } = sent
    const body = { ...rest, ...(from === null ? {} : { from }) }
    this.state.value = 'saving'
    const before = this.draft.value
    try {
      const draft = before
        ? await ask('PUT', `/drafts/${before.id}`, { revision: before.revision, ...body })
        : await ask('POST', '/drafts', { ...this.beginning!, idempotencyKey: this.#idempotencyKey, ...body })
      if (!before || this.draft.value) this.#taken(draft, sent)
    } catch (error) {
      if (!before || this.draft.value) this.#refused(error, sent)
    }
  }

  #taken(draft: Draft, sent: DraftFields): void {
    const typedMeanwhile = !sameFields(sent, this.fields.value)
    dropCopy(this.#name, this.fields.value)
    this.#name = draft.id
    batch(() => {
      const first = this.draft.value === null
      this.draft.value = draft
      this.problem.value = null
      this.state.value = typedMeanwhile ? 'unsaved' : 'saved'
      if (first) this.onBegun(draft)
      putDraft(draft)
    })
    if (typedMeanwhile) keepCopy(this.#name, { ...this.fields.value, revision: draft.revision })
  }

  #refused(error: unknown, sent: DraftFields): void {
    const theirs = error instanceof ApiError ? error.details.draft : undefined
    if (theirs) {
      this.conflict.value = theirs
      this.state.value = 'conflict'
    } else if (error instanceof ApiError && error.mayPass) {
      this.#unanswered = sent
      this.state.value = 'offline'
      this.#schedule(4000)
    } else {
      if (!sameFields(sent, this.fields.value)) this.#schedule()
      this.problem.value = sentenceOf(error)
      this.state.value = 'refused'
    }
  }

  /** The server's newest version, from whatever source. */
  receive(draft: Draft): void {
    const mine = this.draft.value
    if (!mine || draft.revision < mine.revision || draft.updatedAt < mine.updatedAt) return
    const clean = this.state.value === 'saved'
    if (draft.revision === mine.revision) this.draft.value = draft
    else if (clean) this.#adopt(draft)
    // An answer on its way, or the next attempt, tells whether this revision is our own.
    else if (this.state.value !== 'saving' && this.#unanswered === null && this.editable) {
      this.conflict.value = draft
      this.state.value = 'conflict'
    }
  }

  keepMine(): void {
    const theirs = this.conflict.value
    if (!theirs) return
    batch(() => {
      this.draft.value = theirs
      this.conflict.value = null
      this.state.value = 'unsaved'
    })
    void this.save()
  }

  takeTheirs(): void {
    const theirs = this.conflict.value
    if (!theirs) return
    dropCopy(this.#name)
    this.#adopt(theirs)
    this.conflict.value = null
    this.state.value = 'saved'
  }

  /** Its author has chosen to write it. */
  release(): void {
    this.held.value = false
    this.problem.value = null
    void this.save()
  }

  /** Creates it on the server even while empty, so that files can be attached. */
  begin(): void {
    if (this.draft.value !== null || this.state.value === 'offline') return
    this.#begun = true
    this.state.value = 'unsaved'
  }

  /** Runs an action that makes its own revision, after any pending save; typing meanwhile is saved after it. */
  async act(run: (draft: Draft) => Promise<Draft>): Promise<void> {
    do if (!(await this.save())) throw new ApiError(0, this.problem.value ?? texts.errors.unreachable)
    while (this.#saving)
    const running = run(this.draft.value!).then((draft) => this.put(draft))
    this.#saving = running.catch(() => undefined).finally(() => (this.#saving = null))
    await running
  }

  /** Takes the server's answer to an action other than typing. */
  put(draft: Draft): void {
    if (this.state.value === 'saved') this.#adopt(draft)
    else this.draft.value = draft
    if (draft.outcome !== null) this.end()
    putDraft(draft)
  }

  async loadLetter(): Promise<Letter | null> {
    const draft = this.draft.value
    if (!draft) return null
    const letter = await get(`/drafts/${draft.id}/letter`)
    this.showLetter(letter, draft.text)
    return letter
  }

  /** The tail is what follows the text the letter was made from: the text requested, or the one saved meanwhile. */
  showLetter(letter: Letter, text = ''): void {
    const tails = [this.draft.value?.text ?? '', text].map((own) => tailOf(letter, own))
    batch(() => {
      this.letter.value = letter
      this.tail.value = tails.find((tail) => tail !== null) ?? null
    })
  }

  /** The server's draft is gone, but not what is typed here: that becomes a new draft. */
  beginAgain(beginning: Beginning): void {
    dropCopy(this.#name)
    this.#name = copyName(beginning)
    this.beginning = beginning
    this.#idempotencyKey = newKey()
    this.#unanswered = null
    this.#begun = true
    keepCopy(this.#name, { ...this.fields.value, revision: null })
    batch(() => {
      this.draft.value = this.conflict.value = this.problem.value = null
      this.state.value = 'unsaved'
    })
    this.#schedule()
  }

  /** Called when the draft was sent or discarded: removes the copy on this device. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    dropCopy(this.#name)
  }
}

/** Signature and quoted original: what follows the text. Null if the letter was not made from this text. */
function tailOf({ body }: Letter, text: string): string | null {
  const own = text.trimEnd()
  return body.startsWith(own) ? body.slice(own.length) : null
}

/** The inbox a new mail begins in. */
export function inboxIdOf({ beginning }: DraftEditor): string | null {
  return beginning?.kind === 'new' ? beginning.inboxId : null
}
