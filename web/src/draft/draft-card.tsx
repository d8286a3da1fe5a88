import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { OpenThread } from '../../../src/model/work.ts'
import { ask } from '../page/api.ts'
import { useCommand } from '../page/command.ts'
import { wantsFocus } from './start.ts'
import { Icon } from '../controls/icon.tsx'
import { lazy } from '../controls/lazy.tsx'
import { neighbourIds } from '../threads/neighbours.ts'
import { showToast, showProblem } from '../page/toasts.ts'
import { go, goToList, isComposing, isReview, place, placePath, threadId } from '../page/router.ts'
import { canWrite, session } from '../session/session.ts'
import { startWriting, writersOf } from '../threads/presence.ts'
import { timeAgo } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { endNew, endReply } from './editors.ts'
import { Fields } from './fields.tsx'
import { attachFiles, DraftFiles, nameOfFile } from './files.tsx'
import { leaveThread, send } from './sending.ts'
import { DraftText, Tail } from './draft-text.tsx'

const Choice = lazy(async () => (await import('./banners.tsx')).Choice)
const NoServer = lazy(async () => (await import('./banners.tsx')).NoServer)
const Stale = lazy(async () => (await import('./banners.tsx')).Stale)
const Conflict = lazy(async () => (await import('./banners.tsx')).Conflict)
const Outcome = lazy(async () => (await import('./banners.tsx')).Outcome)
const Findings = lazy(async () => (await import('./findings.tsx')).Findings)
const Discard = lazy(async () => (await import('./discard.tsx')).Discard)
const ConfirmSending = lazy(async () => (await import('./confirm-sending.tsx')).ConfirmSending)
const Viewer = lazy(async () => (await import('./banners.tsx')).Viewer)
const Versions = lazy(async () => (await import('./versions.tsx')).Versions)

/** A draft that a person can edit and send. An agent's draft keeps the agent colour until a person sends it. */
export function DraftCard({ editor, thread }: { editor: DraftEditor; thread: OpenThread | null }) {
  const draft = editor.draft.value
  const text = useRef<HTMLTextAreaElement>(null)
  const card = useRef<HTMLElement>(null)
  /** An object: mail to be confirmed, which is mostly by this writer. */
  const dialog = useSignal<'discard' | 'versions' | { close: boolean; writer: string } | null>(null)
  const over = useSignal(false)
  const busy = useSignal(false)
  const ofAgent = draft?.author.type === 'agent'
  const open = editor.editable && canWrite.value
  const writers = draft ? writersOf(draft).map(({ name }) => name) : []
  useEffect(() => {
    if (draft) void editor.loadLetter().catch(() => undefined)
  }, [draft?.id, draft?.revision, thread?.revision])
  useLayoutEffect(() => {
    const wanted = wantsFocus.value
    if (
      wanted === null ||
      ![draft?.id, editor.beginning?.kind === 'reply' ? editor.beginning.threadId : 'new'].includes(wanted)
    )
      return
    wantsFocus.value = null
    const field = card.current?.querySelector<HTMLElement>('.recipients input')
    if (editor.fields.value.to.length === 0 && field) field.focus()
    else text.current?.focus()
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [wantsFocus.value, draft?.id])
  // A thread may have several drafts, and decides which one is meant.
  useCommand('draft', open && thread === null ? () => text.current?.focus() : null)
  /** Does nothing if the user has gone elsewhere while the server was answering. */
  const leave = (): void => {
    if (isComposing(editor.draft.value?.id ?? null)) goToList()
  }
  const sendNow = async (close: boolean, confirmed = false): Promise<void> => {
    if (busy.value) return
    const file = editor.uploading.value[0]
    if (file) return showToast(texts.draft.attaching(nameOfFile(file)), 'problem')
    if (writers.length > 0) return showToast(texts.draft.beingWritten(writers), 'problem')
    // A half-typed recipient counts as well.
    if (![...editor.unfinished].every((finish) => finish())) return
    busy.value = true
    const result = await send(editor, { close, confirmed })
    busy.value = false
    if (typeof result === 'object') {
      // Somebody who has left the draft meanwhile is told that it was not sent.
      if (card.current) dialog.value = { close, writer: result.writer }
      else showToast(result.sentence, 'problem')
    }
    const done = result === 'scheduled'
    if (done && thread === null) leave()
    if (done && thread && isReview.value) nextDraft(thread.id)
    else if (done && thread && close) leaveThread(editor.draft.value!)
  }
  const remove = async (reason: string | null): Promise<void> => {
    dialog.value = null
    try {
      await editor.save()
      const now = editor.draft.value
      if (now) editor.put(await ask('POST', `/drafts/${now.id}/discard`, { revision: now.revision, reason }))
      else editor.end()
      if (editor.beginning?.kind === 'reply') endReply(editor.beginning.threadId)
      else endNew(editor)
      if (thread === null) leave()
    } catch (error) {
      showProblem(error)
    }
  }
  const asked = dialog.value
  return (
    <section
      ref={card}
      class={`draft ${ofAgent ? 'agent' : 'own'} ${over.value ? 'over' : ''}`}
      aria-label={texts.draft.by(draft?.author.name ?? session.value?.user.name ?? '')}
      onKeyDown={(event) => {
        const inDialog = (event.target as Element).closest('dialog') !== null
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !open || inDialog) return
        event.preventDefault()
        void sendNow(false)
      }}
      onInput={() => startWriting(draft?.id ?? null)}
      onDragOver={(event) => {
        if (!open || !event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        over.value = true
      }}
      onDragLeave={() => (over.value = false)}
      onDrop={(event) => {
        over.value = false
        if (!open || !event.dataTransfer?.files.length) return
        event.preventDefault()
        void attachFiles(editor, [...event.dataTransfer.files])
      }}
    >
      <header>
        <CardTitle editor={editor} />
        {draft && (
          <button type="button" class="btn quiet" onClick={() => (dialog.value = 'versions')}>
            {texts.draft.versions}
          </button>
        )}
      </header>
      {open && thread && !thread.canBeAnswered && <NoServer address={thread.inbox.address} />}
      {draft?.status === 'stale' && thread && <Stale editor={editor} thread={thread} />}
      {editor.state.value === 'conflict' && <Conflict editor={editor} />}
      {draft && <Outcome draft={draft} editor={editor} />}
      <Fields editor={editor} open={open} />
      <DraftText editor={editor} open={open} fieldRef={text} />
      <DraftFiles editor={editor} open={open} />
      <Tail editor={editor} />
      {draft && draft.citations.length + draft.unsupported.length > 0 && <Findings draft={draft} />}
      {open ? (
        <footer class="foot">
          {editor.held.value && thread ? (
            <Choice editor={editor} thread={thread} />
          ) : writers.length === 0 ? (
            <>
              <button
                type="button"
                class="btn primary"
                disabled={busy.value}
                onClick={() => void sendNow(false)}
              >
                {texts.draft.send}
              </button>
              {thread && (
                <button type="button" class="btn" disabled={busy.value} onClick={() => void sendNow(true)}>
                  {texts.draft.sendClose}
                </button>
              )}
            </>
          ) : (
            <small role="status">{texts.draft.beingWritten(writers)}</small>
          )}
          <label class="btn quiet attach" title={texts.draft.attach}>
            <Icon name="clip" />
            <span class="hidden">{texts.draft.attach}</span>
            <input
              type="file"
              multiple
              onChange={(event) => {
                void attachFiles(editor, [...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
          </label>
          <span class="sp" />
          <SaveWord editor={editor} />
          <button type="button" class="btn quiet" onClick={() => (dialog.value = 'discard')}>
            {texts.draft.discard}
          </button>
        </footer>
      ) : (
        !canWrite.value && <Viewer />
      )}
      {over.value && <div class="drop">{texts.draft.drop}</div>}
      {typeof asked === 'object' && asked && (
        <ConfirmSending
          writer={asked.writer}
          onClose={() => (dialog.value = null)}
          onSend={() => {
            dialog.value = null
            void sendNow(asked.close, true)
          }}
        />
      )}
      {asked === 'discard' && (
        <Discard
          ofAgent={ofAgent}
          onDiscard={(reason) => void remove(reason)}
          onClose={() => (dialog.value = null)}
        />
      )}
      {asked === 'versions' && draft && (
        <Versions editor={editor} draft={draft} onClose={() => (dialog.value = null)} />
      )}
    </section>
  )
}

/** In the review, opens the next draft, unless the user has already left this one. */
function nextDraft(sentFrom: string): void {
  if (threadId.value !== sentFrom) return
  const next = neighbourIds(sentFrom, 1)[0]
  go(placePath(place.value, next?.thread ?? null, next?.draft ?? null))
}

function CardTitle({ editor }: { editor: DraftEditor }) {
  const draft = editor.draft.value
  const mine = !draft || draft.author.id === session.value?.user.id
  const agent = draft?.author.type === 'agent'
  const d = texts.draft
  return (
    <>
      {agent && <Icon name="spark" />}
      <b class="cut">{agent ? d.proposedBy(draft.author.name) : mine ? d.yours : d.by(draft.author.name)}</b>
      {/* Shown only while it is certain; never cut off. */}
      {(!draft || editor.editable) && <small class="unsent">{d.notSent}</small>}
      {draft && (
        <small class="cut">
          {[
            ...(agent && draft.edited ? [d.editedByPerson] : []),
            d.revision(draft.revision),
            timeAgo(draft.updatedAt),
          ].join(' · ')}
        </small>
      )}
      <span class="sp" />
    </>
  )
}

function SaveWord({ editor }: { editor: DraftEditor }) {
  const state = editor.state.value
  const d = texts.draft
  const said = {
    saved: !editor.draft.value ? '' : editor.restored.value ? d.restored : d.saved,
    unsaved: d.unsaved,
    saving: d.saving,
    offline: d.offline,
    conflict: d.unsaved,
    refused: editor.problem.value ?? '',
  }[state]
  return (
    <small class={`save ${state}`} role="status">
      {said}
    </small>
  )
}
