import { removeInvisible } from '../../model/invisible.ts'
import { describeNotice } from '../../model/notices/words.ts'
import type { Parcel } from './delivery.ts'
import { viewNotice } from './reading.ts'

/** More notices than this are combined into one push. */
const mostPushes = 3
const longestLine = 120

/** Sent to a browser; its service worker shows it. Push services refuse more than 4 kB. */
export type PushMessage = ReturnType<typeof writePushes>[number]

/**
 * Sender and subject only if the person wants them on screen, without characters that could disguise them. A later push
 * with the same tag replaces an earlier one.
 */
export function writePushes({ notices, settings }: Parcel) {
  if (notices.length > mostPushes)
    return [{ title: `${notices.length} new notices`, body: '', url: '/notices', tag: 'many' }]
  return notices.map((row) => {
    const notice = viewNotice(row)
    const { thread, id } = notice
    const body = settings.pushDetails && thread ? `${clean(thread.sender)}: ${clean(thread.subject)}` : ''
    return { title: describeNotice(notice), body, url: notice.link, tag: id }
  })
}

function clean(text: string): string {
  const line = removeInvisible(text, 'mail')
    .text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
  return line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line
}

/** Contains names of the team, kinds, counts and links; nothing from mail or notes and nothing written by an agent. */
export function writeNoticeMail(
  { listener, notices }: Parcel,
  url: string,
): { subject: string; body: string } {
  const views = notices.map(viewNotice)
  const lines = views.map((notice) => `${describeNotice(notice)}:\n${url}${notice.link}`)
  const [only, ...others] = views
  return {
    subject: others.length === 0 ? `Spool: ${describeNotice(only!)}` : `Spool: ${views.length} notices`,
    body: [
      `Hello ${listener.name},`,
      ...lines,
      `Which notices come by mail, and when: ${url}/settings/notices`,
    ].join('\n\n'),
  }
}
