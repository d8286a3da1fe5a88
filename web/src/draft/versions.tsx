import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Draft, DraftRevision } from '../../../src/model/draft.ts'
import { get, sentenceOf } from '../page/api.ts'
import { Dialog } from '../controls/dialog.tsx'
import { canWrite } from '../session/session.ts'
import { messageTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { Differences } from './difference-text.tsx'
import type { DraftEditor } from './editor.ts'
import { draftTexts } from './texts.ts'

/** Earlier versions, who changed them and how. */
export function Versions({
  editor,
  draft,
  onClose,
}: {
  editor: DraftEditor
  draft: Draft
  onClose: () => void
}) {
  const revisions = useSignal<DraftRevision[]>([])
  const problem = useSignal<string | null>(null)
  useEffect(() => {
    get(`/drafts/${draft.id}/revisions`).then(
      ({ data }) => (revisions.value = gather(data)),
      (error: unknown) => (problem.value = sentenceOf(error)),
    )
  }, [draft.id, draft.revision])
  const all = revisions.value
  return (
    <Dialog title={draftTexts.versionsTitle} wide onClose={onClose}>
      {problem.value && <p>{problem.value}</p>}
      <div class="versions">
        {all.toReversed().map((revision) => {
          const before = all[all.indexOf(revision) - 1]
          return (
            <section key={revision.revision}>
              <header>
                <b class={revision.actor.type === 'agent' ? 'agent-name' : ''}>
                  {draftTexts.changed(revision.actor.name, messageTime(revision.timestamp))}
                </b>
                <small>{before ? texts.draft.revision(revision.revision) : draftTexts.first}</small>
                {canWrite.value && editor.editable && revision.text !== editor.fields.value.text && (
                  <button
                    type="button"
                    class="btn"
                    onClick={() => {
                      editor.change({ text: revision.text })
                      onClose()
                    }}
                  >
                    {draftTexts.useThis}
                  </button>
                )}
              </header>
              <Differences before={before?.text ?? revision.text} after={revision.text} />
            </section>
          )
        })}
      </div>
    </Dialog>
  )
}

const together = 10 * 60_000

/** Each pause in typing makes a revision; consecutive revisions by one person are shown as one version. */
function gather(revisions: readonly DraftRevision[]): DraftRevision[] {
  const gathered: DraftRevision[] = []
  for (const revision of revisions) {
    const last = gathered.at(-1)
    const goesOn =
      last !== undefined &&
      gathered.length > 1 &&
      last.actor.id === revision.actor.id &&
      Date.parse(revision.timestamp) - Date.parse(last.timestamp) < together
    if (goesOn) gathered.pop()
    gathered.push(revision)
  }
  return gathered
}
