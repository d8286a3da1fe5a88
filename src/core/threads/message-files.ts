import type { View } from '../../model/access.ts'
import { readContent, type AttachmentRow } from '../../store/threads/attachments.ts'
import { filesOfMessage } from '../../store/drafts/files.ts'
import { findVisibleMessage } from '../../store/threads/messages.ts'
import { readSource } from '../../store/threads/thread-messages.ts'
import { noSuch } from '../access/access.ts'
import type { Spool } from '../spool.ts'

/** Image types that browsers show and that cannot contain scripts, with their magic bytes. */
const rasters: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
}

/** By the bytes, not by what the sender claims; null if it is no such image. */
export function rasterType(beginning: Uint8Array): string | null {
  const hex = Buffer.from(beginning.subarray(0, 16)).toString('hex')
  return Object.keys(rasters).find((type) => rasters[type]!.test(hex)) ?? null
}

/** The raw mail. */
export async function getSource(
  spool: Spool,
  view: View,
  id: string,
): Promise<{ subject: string; source: Uint8Array }> {
  const message = await findMessage(spool, view, id)
  const source = await readSource(spool.db, message.number)
  if (!source) throw noSuch('message')
  return { subject: message.subject, source }
}

/** Total that fits into one page. */
const mostPictureBytes = 20_000_000

/**
 * A mail's HTML with its remote images enabled, for a person who asked for them. Attached images are inlined, because
 * the frame that shows it has no session.
 */
export async function getPictures(spool: Spool, view: View, id: string): Promise<string> {
  const message = await findMessage(spool, view, id)
  let html = (message.html ?? '').replaceAll(' data-remote-src="', ' src="')
  let bytes = 0
  for (const file of await filesOfMessage(spool.db, message.number)) {
    const address = `"/api/v1/attachments/${file.id}"`
    if (!html.includes(address)) continue
    bytes += file.size
    const data = bytes > mostPictureBytes ? null : await readPicture(spool, file)
    html = html.replaceAll(address, data === null ? '""' : `"${data}"`)
  }
  return html
}

async function readPicture(spool: Spool, file: AttachmentRow): Promise<string | null> {
  const pieces: Uint8Array[] = []
  for await (const piece of readContent(spool.db, file)) {
    if (pieces.length === 0 && rasterType(piece) === null) return null
    pieces.push(piece)
  }
  const content = Buffer.concat(pieces)
  const type = rasterType(content)
  return type === null ? null : `data:${type};base64,${content.toString('base64')}`
}

async function findMessage(spool: Spool, view: View, id: string) {
  const inboxes = view.inboxes.map(({ number }) => number)
  const message = await findVisibleMessage(spool.db, id, inboxes)
  if (!message) throw noSuch('message')
  return message
}
