import { Readable } from 'node:stream'
import { getAttachment } from '../../../core/threads/attachments.ts'
import { previewText, readInvitation } from '../../../core/threads/attachment-text.ts'
import { getRemotePicture, getSource } from '../../../core/threads/message-files.ts'
import { SpoolError } from '../../../model/errors.ts'
import { rasterType } from '../../../model/files/raster.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { contentDisposition } from '../v1/attachments.ts'
import { nameOf } from '../v1/messages.ts'

/** Makes a file harmless even when it is opened directly. */
const closed = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** The content behind an id never changes, but who may see it can change. */
const kept = 'private, max-age=600'

export const fileRoutes = [
  /** A download; with `inline` an image, recognised by its bytes, of a kind that cannot contain script. */
  defineAppRoute('getAttachment', everyone, async ({ spool, view, path, query }) => {
    const { filename, size, content } = await getAttachment(spool, await view(), path.id)
    const headers = {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(size),
      'Content-Disposition': contentDisposition(filename),
      'Content-Security-Policy': closed,
      'Cache-Control': kept,
    }
    if (query.inline === undefined) return { body: Readable.from(content()), headers }
    const pieces = content()[Symbol.asyncIterator]()
    const first = await pieces.next()
    const type = first.done ? null : rasterType(first.value)
    if (type === null)
      throw new SpoolError(
        'bad_parameter',
        'This is not a PNG, JPEG, GIF, WebP or AVIF image; download it instead.',
      )
    const inline = { ...headers, 'Content-Type': type, 'Content-Disposition': 'inline' }
    return { body: Readable.from(withFirst(first.value, pieces)), headers: inline }
  }),

  /** The invitation in a calendar file. */
  defineAppRoute('getCalendarEvent', everyone, async ({ spool, view, path }) => ({
    invitation: await readInvitation(spool, await view(), path.id),
  })),

  /** The text of a file, as agents read it. */
  defineAppRoute('previewText', everyone, async ({ spool, view, path }) =>
    previewText(spool, await view(), path.id),
  ),

  defineAppRoute('getSource', everyone, async ({ spool, view, path }) => {
    const { subject, source } = await getSource(spool, await view(), path.id)
    return {
      body: Buffer.from(source),
      headers: {
        // The source has no single charset, so every byte is shown as one character.
        'Content-Type': 'text/plain; charset=iso-8859-1',
        'Content-Disposition': contentDisposition(nameOf(subject)),
        'Content-Security-Policy': closed,
      },
    }
  }),

  /** Fetches a mail's remote picture by its number, so that readers' browsers never contact the sender's host. */
  defineAppRoute('getRemotePicture', everyone, async ({ spool, view, path, whenGone }) => {
    const { type, bytes } = await getRemotePicture(spool, await view(), path.id, path.number, whenGone())
    return {
      body: Buffer.from(bytes),
      headers: {
        'Content-Type': type,
        'Content-Disposition': contentDisposition(type.replace('image/', 'picture.')),
        'Content-Security-Policy': closed,
        'Cache-Control': kept,
      },
    }
  }),
]

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
}
