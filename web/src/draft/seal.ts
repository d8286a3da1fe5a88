import type { Letter } from '../../../src/model/mail/letter.ts'
import { sealText } from '../../../src/model/seal.ts'
import type { DraftEditor } from './editor.ts'

/**
 * The letter as it stands on the screen: the fields and words of the editor, the tail that was shown below them, the
 * files that were listed. It is put together from those, not from what the server would send; that they are the same is
 * what the seal shows.
 */
export function shownLetter(
  editor: DraftEditor,
  { shown, tail, files }: { shown: Letter; tail: string; files: Letter['attachments'] },
): Letter | null {
  const draft = editor.draft.value
  if (!draft) return null
  const { text, to, cc, bcc, subject } = editor.fields.value
  return {
    from: shown.from,
    to,
    cc,
    bcc,
    subject,
    body: text.trimEnd() + tail,
    attachments: draft.attachments.flatMap(({ id, filename, contentType, size }) => {
      // What an id names never changes.
      const hash = files.find((file) => file.id === id)?.hash
      return hash === undefined ? [] : [{ id, filename, contentType, size, hash }]
    }),
    newestMessageId: shown.newestMessageId,
  }
}

export function sameLetter(one: Letter, other: Letter): boolean {
  return sealText(one) === sealText(other)
}

export async function sealOf(letter: Letter): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sealText(letter)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
