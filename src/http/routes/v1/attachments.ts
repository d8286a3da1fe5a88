import { getAttachment } from '../../../core/threads/attachments.ts'
import { defineRoute } from '../../route.ts'

export const attachmentGet = defineRoute({
  path: '/attachments/{id}',
  scope: 'threads:read',
  operationId: 'getAttachment',
  tag: 'Threads',
  summary: 'Download an attachment',
  description: 'The bytes as they were sent, always as a download. Takes `Range`.',
  parameters: { id: "The attachment's id." },
  answer: null,
  taggedBy: null,
  async handle({ spool, caller, path }) {
    const { filename, contentType, size, hash, content } = await getAttachment(spool, caller, path['id']!)
    return {
      body: { length: size, etag: `"${Buffer.from(hash).toString('base64url')}"`, pieces: content },
      contentType: safeType(contentType),
      headers: { 'Content-Disposition': contentDisposition(filename) },
    }
  },
})

/** The sender's content type is passed on only if it is well-formed. */
function safeType(type: string): string {
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(type)
    ? type
    : 'application/octet-stream'
}

/** RFC 6266: an ASCII name for old clients, and the real one. */
export function contentDisposition(name: string): string {
  // A truncated name may end in half a surrogate pair, which cannot be encoded.
  const filename = name.toWellFormed()
  const plain = filename.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
