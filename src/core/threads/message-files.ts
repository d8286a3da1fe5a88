import { numbersOf, type View } from '../../model/access.ts'
import type { Raster } from '../../model/files/raster.ts'
import { findVisibleMessage } from '../../store/threads/messages.ts'
import { noSuch } from '../access/access.ts'
import { currentHtml } from '../forms/forms.ts'
import { readSource } from '../sources.ts'
import { SourceDamaged } from '../../model/errors.ts'
import type { Spool } from '../spool.ts'

/** The raw mail. */
export async function getSource(
  spool: Spool,
  view: View,
  id: string,
): Promise<{ subject: string; source: Uint8Array }> {
  const message = await findMessage(spool, view, id)
  const source = await readSource(spool, message.number)
  if (source === null) throw new SourceDamaged()
  if (!source) throw noSuch('message')
  return { subject: message.subject, source }
}

/** Matches what the normal form writes: text has no `<`, and attributes have quotes only around their values. */
const remotePictures = /<img(?:\s[\w-]+="[^"]*")*?\sdata-remote-src="([^"]*)"/g

/** A remote picture of a mail, by its index from 0, for a person who asked for it. */
export async function getRemotePicture(
  spool: Spool,
  view: View,
  id: string,
  number: string,
  gone: AbortSignal,
): Promise<Raster> {
  const html = await currentHtml(spool, await findMessage(spool, view, id))
  const found = [...(html ?? '').matchAll(remotePictures)]
  const address = numberForm.test(number) ? found[Number(number)]?.[1] : undefined
  if (address === undefined) throw noSuch('picture')
  return spool.fetchPicture(unescapeAttribute(address), gone)
}

const numberForm = /^(?:0|[1-9]\d{0,5})$/

const signs: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#96': '`',
}

function unescapeAttribute(value: string): string {
  return value.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => signs[name]!)
}

async function findMessage(spool: Spool, view: View, id: string) {
  const message = await findVisibleMessage(spool.db, id, numbersOf(view.inboxes))
  if (!message) throw noSuch('message')
  return message
}
