import type { Letter } from '../../../src/model/mail/letter.ts'
import { sealText } from '../../../src/model/seal.ts'
import type { DraftEditor } from './editor.ts'

/**
 * The letter as shown on the screen: the editor's fields, the tail shown below and the files listed. It is built from
 * these, not from what the server would send; the seal proves that both are the same.
 */
export function shownLetter(
  editor: DraftEditor,
  shown: Letter,
  tail: string,
  files: Letter['attachments'],
): Letter | null {
  const draft = editor.draft.value
  if (!draft) return null
  const { text, from, to, cc, bcc, subject } = editor.fields.value
  return {
    from: { ...shown.from, address: from ?? draft.from ?? shown.from.address },
    to,
    cc,
    bcc,
    subject,
    body: text.trimEnd() + tail,
    attachments: draft.attachments.flatMap(({ id, filename, contentType, size }) => {
      // The content of an id never changes.
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
