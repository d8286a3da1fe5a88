import type { MboxFormat } from '../../src/mail/mailbox/mbox.ts'

export type WrittenFormat = Exclude<MboxFormat, 'auto'> | 'mboxcl2'

export interface WrittenMessage {
  raw: string
  date?: Date
}

/** Writes an mbox file as programs using that format do. Messages are strings with one character per byte. */
export function writeMbox(messages: WrittenMessage[], format: WrittenFormat, newline = '\n'): Buffer {
  return Buffer.concat(
    messages.map((message) => Buffer.from(writeMessage(message, format, newline), 'latin1')),
  )
}

function writeMessage(
  { raw, date = new Date(0) }: WrittenMessage,
  format: WrittenFormat,
  newline: string,
): string {
  const fromLine = `From sender@example.com ${asctime(date)}${newline}`
  if (format === 'mboxrd') return `${fromLine}${raw.replace(/^(>*From )/gm, '>$1')}${newline}`
  if (format === 'mboxo') return `${fromLine}${raw.replace(/^From /gm, '>From ')}${newline}`
  const escaped = format === 'mboxcl' ? raw.replace(/^From /gm, '>From ') : raw
  return `${fromLine}${withLength(escaped, newline)}${newline}`
}

/** Content-Length goes last in the header, because the length of the body is known last. */
function withLength(raw: string, newline: string): string {
  const at = raw.indexOf(newline + newline)
  const body = raw.slice(at + 2 * newline.length)
  return `${raw.slice(0, at)}${newline}Content-Length: ${body.length}${newline}${newline}${body}`
}

/** `Tue Nov  3 09:15:00 2026` */
function asctime(date: Date): string {
  const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day!.replace(/^0/, ' ')} ${time} ${year}`
}
