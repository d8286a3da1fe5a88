import { ask, urlOf } from '../page/api.ts'
import { Icon } from '../controls/icon.tsx'
import { showProblem } from '../page/toasts.ts'
import { byteSize } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import type { DraftEditor } from './editor.ts'

/** Uploads files one after the other, because each creates a revision. Creates the draft if it is still empty. */
export async function attachFiles(editor: DraftEditor, files: readonly File[]): Promise<void> {
  const { uploading } = editor
  uploading.value = [...uploading.value, ...files]
  for (const file of files) {
    try {
      editor.begin()
      await editor.act(({ id, revision }) =>
        ask('POST', `/drafts/${id}/attachments`, file, {
          query: {
            revision: String(revision),
            filename: nameOfFile(file),
            contentType: file.type || undefined,
          },
        }),
      )
    } catch (error) {
      showProblem(error)
    } finally {
      uploading.value = uploading.value.filter((each) => each !== file)
    }
  }
}

/**
 * What the page itself does with a paste. Where there is text, a picture beside it is only another form of it: Word and
 * Excel add one. The browser pastes plain text itself.
 */
export function readPasted(data: DataTransfer | null): { files: File[]; text: string } {
  const files = [...(data?.files ?? [])]
  const lines = (data?.getData('text/plain') ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
  // Some systems give copied files their names as text.
  const isNames = lines.every((line) => files.some(({ name }) => name !== '' && line.trim().endsWith(name)))
  if (files.length === 0 || !isNames) return { files: [], text: '' }
  const html = lines.length > 0 ? '' : (data?.getData('text/html') ?? '')
  const text = new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
  return text === '' ? { files, text } : { files: [], text }
}

export function nameOfFile({ name }: File): string {
  return name || 'picture.png'
}

export function DraftFiles({ editor, open }: { editor: DraftEditor; open: boolean }) {
  const draft = editor.draft.value
  const underWay = editor.uploading.value[0]
  if ((!draft || draft.attachments.length === 0) && !underWay) return null
  const remove = (file: string): Promise<void> =>
    editor.act(({ id, revision }) =>
      ask('DELETE', `/drafts/${id}/attachments/${file}`, undefined, {
        query: { revision: String(revision) },
      }),
    )
  return (
    <div class="files">
      {draft?.attachments.map(({ id, filename, size }) => (
        <div class="file" key={id}>
          <a href={urlOf(`/drafts/${draft.id}/attachments/${id}`)} download={filename}>
            <Icon name="file" />
            <span>{filename}</span>
            <small>{byteSize(size)}</small>
          </a>
          {open && (
            <button
              type="button"
              class="btn quiet"
              aria-label={texts.draft.remove(filename)}
              onClick={() => void remove(id).catch(showProblem)}
            >
              <Icon name="cross" size={12} />
            </button>
          )}
        </div>
      ))}
      {underWay && <small role="status">{texts.draft.attaching(nameOfFile(underWay))}</small>}
    </div>
  )
}
