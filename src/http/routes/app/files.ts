import { Readable } from 'node:stream'
import { viewOfUser } from '../../../core/access/access.ts'
import { getAttachment } from '../../../core/threads/attachments.ts'
import { getPictures, getSource, rasterType } from '../../../core/threads/message-files.ts'
import { SpoolError } from '../../../model/errors.ts'
import { defineAppRoute, everyone } from '../../app-route.ts'
import { contentDisposition } from '../v1/attachments.ts'

/** Harmless even when opened on its own. */
const closed = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A download; with `inline` an image, recognised by its bytes, of a kind that cannot contain script. */
export const attachmentGet = defineAppRoute('getAttachment', {
  roles: everyone,
  async handle({ spool, actor, path, query }) {
    const view = await viewOfUser(spool.db, actor.user)
    const { filename, size, content } = await getAttachment(spool, view, path.id)
    const headers = {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(size),
      'Content-Disposition': contentDisposition(filename),
      'Content-Security-Policy': closed,
      // The content of an id never changes, but who may see it does.
      'Cache-Control': 'private, max-age=600',
    }
    if (query.inline === undefined) return { body: Readable.from(content()), headers }
    const pieces = content()[Symbol.asyncIterator]()
    const first = await pieces.next()
    const type = first.done ? null : rasterType(first.value)
    if (type === null)
      throw new SpoolError(
        'bad_parameter',
        'This is not a PNG, JPEG, GIF or WebP image; download it instead.',
      )
    const inline = { ...headers, 'Content-Type': type, 'Content-Disposition': 'inline' }
    return { body: Readable.from(withFirst(first.value, pieces)), headers: inline }
  },
})

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
}

export const sourceGet = defineAppRoute('getSource', {
  roles: everyone,
  async handle({ spool, actor, path }) {
    const { subject, source } = await getSource(spool, await viewOfUser(spool.db, actor.user), path.id)
    return {
      body: Buffer.from(source),
      headers: {
        // No charset applies: the source is shown byte by byte.
        'Content-Type': 'text/plain; charset=iso-8859-1',
        'Content-Disposition': contentDisposition(
          `${subject.replace(/[\\/:]/g, ' ').slice(0, 100) || 'mail'}.eml`,
        ),
        'Content-Security-Policy': closed,
      },
    }
  },
})

/** No script and no requests except for images, which a person asked for. */
const picturePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data: https: http:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ')

const looks =
  'body{margin:0;padding:2px;font:14px/1.5 system-ui,sans-serif;color:#1c1a17;background:#fff;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}pre{white-space:pre-wrap}'

/** A mail with its remote images, for a frame in the page. */
export const picturesGet = defineAppRoute('getPictures', {
  roles: everyone,
  async handle({ spool, actor, path }) {
    const html = await getPictures(spool, await viewOfUser(spool.db, actor.user), path.id)
    return {
      body: `<!doctype html><html><head><meta charset="utf-8"><style>${looks}</style></head><body>${html}</body></html>`,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': picturePolicy,
        'X-Frame-Options': 'SAMEORIGIN',
      },
    }
  },
})
