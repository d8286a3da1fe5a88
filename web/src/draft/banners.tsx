import { Differences } from './difference-text.tsx'
import { useEffect } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import type { Draft } from '../../../src/model/draft.ts'
import type { MessageEntry } from '../../../src/model/history.ts'
import type { OpenThread } from '../../../src/model/work.ts'
import { ask, get } from '../page/api.ts'
import { showProblem } from '../page/toasts.ts'
import { canWrite } from '../session/session.ts'
import { messageTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'
import { nameOf } from '../mail/address.ts'
import { editorOf, endReply } from './editors.ts'
import { sendings, takeBack } from './sending.ts'
import { colleaguesDrafts, wantsFocus } from './start.ts'
import { draftTexts } from './texts.ts'

/** New mail or a merge came after the draft was written: shows what arrived, with a button to confirm that it was read. */
export function Stale({ editor, thread }: { editor: DraftEditor; thread: OpenThread }) {
  const draft = editor.draft.value!
  const messages = thread.history.filter((entry): entry is MessageEntry => entry.type === 'message')
  // Ids sort by arrival: a merged thread may bring only messages that are older.
  const fresh = messages.filter(({ id }) => id > draft.newestMessageId!)
  const merged = fresh.length === 0 && thread.history.some(({ type }) => type === 'merged')
  const newest = editor.letter.value?.newestMessageId ?? fresh.at(-1)?.id
  const confirm = async (): Promise<void> => {
    if (editor.state.value !== 'saved') await editor.save()
    const { id, revision, status } = editor.draft.value!
    // Saving an edit confirms it as well.
    if (status !== 'stale' || !newest) return
    editor.put(await ask('POST', `/drafts/${id}/confirm`, { revision, newestMessageId: newest }))
  }
  return (
    <div class="stale" role="alert">
      <div>
        <span>{merged ? draftTexts.staleMerged : draftTexts.stale}</span>
        {fresh.slice(-3).map((message) => (
          <a
            key={message.id}
            href={`#${message.id}`}
            onClick={(event) => (event.preventDefault(), show(message.id))}
          >
            {nameOf(message.from)}, {messageTime(message.timestamp)}: “{message.newText.slice(0, 140)}”
          </a>
        ))}
      </div>
      {canWrite.value && (
        <button type="button" class="btn" onClick={() => void confirm().catch(showProblem)}>
          {draftTexts.staleRead}
        </button>
      )}
    </div>
  )
}

function show(id: string): void {
  document.getElementById(id)?.scrollIntoView({ block: 'center' })
}

/** Two people edited at once: shows both versions to choose from. */
export function Conflict({ editor }: { editor: DraftEditor }) {
  const theirs = editor.conflict.value
  const who = useSignal('')
  useEffect(() => {
    if (!theirs) return
    get(`/drafts/${theirs.id}/revisions`).then(
      ({ data }) => (who.value = data.at(-1)?.actor.name ?? ''),
      () => undefined,
    )
  }, [theirs?.revision])
  if (!theirs) return null
  return (
    <div class="conflict" role="alert">
      <p>{draftTexts.conflict(who.value || draftTexts.someone)}</p>
      <Differences before={theirs.text} after={editor.fields.value.text} />
      <div class="buttons">
        <button type="button" class="btn" onClick={() => editor.keepMine()}>
          {draftTexts.keepMine}
        </button>
        <button type="button" class="btn" onClick={() => editor.takeTheirs()}>
          {draftTexts.takeTheirs}
        </button>
      </div>
    </div>
  )
}

export function NoServer({ address }: { address: string }) {
  return (
    <div class="stale">
      <div>{draftTexts.noServer(address)}</div>
    </div>
  )
}

export function Viewer() {
  return <p class="foot quiet-text">{draftTexts.viewer}</p>
}

/** In place of Send: whether to write this reply or to continue what a colleague has begun. Leaving it keeps the reply. */
export function Choice({ editor, thread }: { editor: DraftEditor; thread: OpenThread }) {
  const drafts = colleaguesDrafts(thread)
  // They may be sent or discarded meanwhile.
  useEffect(() => (drafts.length === 0 ? editor.release() : undefined), [drafts.length])
  useEffect(() => () => editor.release(), [])
  return (
    <>
      <small role="status">{drafts[0] && draftTexts.unfinished(drafts[0].author.name)}</small>
      {drafts.map((draft) => (
        <button key={draft.id} type="button" class="btn" onClick={() => continueDraft(editor, draft)}>
          {draftTexts.continue(draft.author.name)}
        </button>
      ))}
      <button type="button" class="btn" onClick={() => (editor.release(), (wantsFocus.value = thread.id))}>
        {draftTexts.own}
      </button>
    </>
  )
}

/** Instead of the reply that was held: what was typed there goes on where the colleague stopped. */
function continueDraft(held: DraftEditor, draft: Draft): void {
  const { text } = held.fields.peek()
  held.end()
  endReply(draft.threadId!)
  const editor = editorOf(draft)
  if (text.trim() !== '') editor.change({ text: `${editor.fields.peek().text.trimEnd()}\n\n${text}` })
  wantsFocus.value = draft.id
}

/** While the undo bar at the bottom offers the same, it is not repeated here. */
function hasBar({ id, status }: Draft): boolean {
  const newest = sendings.value.at(-1)
  return status === 'scheduled' && newest?.draftId === id && newest.state === 'waiting'
}

/** Being sent, failed, or unknown. */
export function Outcome({ draft, editor }: { draft: Draft; editor: DraftEditor }) {
  const settle = (as: 'sent' | 'editing') => (): void =>
    void ask('POST', `/drafts/${draft.id}/settle`, { as }).then((now) => editor.put(now), showProblem)
  if (draft.status === 'scheduled' || draft.status === 'sending')
    return (
      <div class="sending">
        <span>{draft.problem ? draftTexts.retrying : draftTexts.sendingNow}</span>
        {draft.problem && <small>{draft.problem}</small>}
        {!hasBar(draft) && (
          <button type="button" class="btn" onClick={() => void takeBack(draft.id)}>
            {texts.undo.undo}
          </button>
        )}
      </div>
    )
  // A new mail stays open when a colleague discards it.
  if (draft.outcome?.result === 'discarded')
    return <div class="stale">{texts.history.discarded(draft.outcome.by.name, draft.outcome.reason)}</div>
  if (draft.status !== 'failed' && draft.status !== 'unknown') return null
  return (
    <div class="stale" role="alert">
      <div>
        <span>{draft.status === 'failed' ? draftTexts.failed : draftTexts.unknown}</span>{' '}
        {draft.problem && <small>{draft.problem}</small>}
      </div>
      {canWrite.value && draft.status === 'unknown' && (
        <button type="button" class="btn" onClick={settle('sent')}>
          {draftTexts.wasSent}
        </button>
      )}
      {canWrite.value && (
        <button type="button" class="btn" onClick={settle('editing')}>
          {draftTexts.tryAgain}
        </button>
      )}
    </div>
  )
}
