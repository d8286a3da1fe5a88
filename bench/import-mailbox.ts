import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { makeRandom } from '../test/support/random.ts'

const syllables =
  'ba be bi bo bu da de di do ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve za ze'.split(
    ' ',
  )
const vocabulary = 30_000

/** Word number `rank` of a made-up language: common words are short. */
function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

/** A made-up mailbox (mboxrd) with a realistic mix: short questions, quoting replies, HTML newsletters, files. */
export async function writeMailbox(file: string, count: number, mostBytes = Infinity): Promise<number> {
  const random = makeRandom(1)
  const out = createWriteStream(file, { highWaterMark: 1 << 20 })
  const recent: { id: string; references: string[]; subject: string; text: string }[] = []
  let bytes = 0
  for (let n = 0; n < count && bytes < mostBytes; n++) {
    const message = makeMessage(n, random, recent)
    bytes += Buffer.byteLength(message)
    if (!out.write(message)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return bytes
}

type Known = { id: string; references: string[]; subject: string; text: string }

function makeMessage(n: number, random: () => number, recent: Known[]): string {
  const parent = recent.length > 0 && random() < 0.6 ? recent[Math.floor(random() * recent.length)]! : null
  const id = `<${n.toString(36)}.${Math.floor(random() * 1e9).toString(36)}@mail${n % 50}.example>`
  const subject = parent ? `Re: ${parent.subject}` : capital(sentence(random, 3 + Math.floor(random() * 5)))
  // Most mail is short; some is very long.
  const text = paragraphs(random, 1 + Math.floor(2.5 / (0.08 + random())))
  const references = parent ? [...parent.references.slice(-8), parent.id] : []
  const date = new Date(1_600_000_000_000 + n * 97_000)
  const person = `${capital(pick(random))} ${capital(pick(random))}`
  const head = [
    `From sender@mail.example ${date.toUTCString()}`,
    `Received: from mx.example (mx.example [192.0.2.${n % 250}]) by mail.example; ${date.toUTCString()}`,
    `From: ${person} <${pick(random)}${n % 5000}@customer.example>`,
    'To: support@shop.example',
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${id}`,
    ...(parent ? [`In-Reply-To: ${parent.id}`, `References: ${references.join('\n ')}`] : []),
    'MIME-Version: 1.0',
  ].join('\n')
  const known = { id, references, subject: parent?.subject ?? subject, text }
  if (recent.length < 400) recent.push(known)
  else recent[Math.floor(random() * 400)] = known
  const quote = parent ? `\nOn Monday, ${person} wrote:\n${parent.text.replace(/^/gm, '> ')}\n` : ''
  return `${head}\n${body(text + quote, random)}\n\n`
}

function body(text: string, random: () => number): string {
  const kind = random()
  if (kind < 0.62) return `Content-Type: text/plain; charset=utf-8\n\n${text}`
  const plain = `Content-Type: text/plain; charset=utf-8\n\n${text}`
  const html = `Content-Type: text/html; charset=utf-8\n\n<html><body>${kind > 0.85 ? layout(text) : `<div>${text.replaceAll('\n', '<br>\n')}</div>`}</body></html>`
  const alternative = multipart('alternative', [plain, html])
  if (kind < 0.93) return alternative
  const size = Math.floor(2_000 + random() ** 4 * 60_000)
  const content = Buffer.alloc(size, 37 + Math.floor(random() * 200))
    .toString('base64')
    .replace(/.{76}/g, '$&\n')
  const file = `Content-Type: application/pdf; name="file.pdf"\nContent-Disposition: attachment; filename="file.pdf"\nContent-Transfer-Encoding: base64\n\n${content}`
  return multipart('mixed', [alternative, file])
}

function multipart(kind: string, parts: string[]): string {
  const boundary = `=_${kind}_0123456789`
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\n\n${parts.map((part) => `--${boundary}\n${part}\n`).join('')}--${boundary}--`
}

/** A newsletter is mostly tables and styles. */
function layout(text: string): string {
  const row = (line: string): string =>
    `<tr><td style="padding:8px 16px;font-family:Arial,sans-serif;font-size:15px;color:#333333">${line}</td></tr>\n`
  return `<style>.a{color:#123456}.b{font-size:12px}@media(max-width:600px){.b{font-size:16px}}</style><table width="600" bgcolor="#ffffff" cellpadding="0" cellspacing="0">${text.split('\n').map(row).join('')}</table><div style="display:none">preheader</div>`
}

function paragraphs(random: () => number, count: number): string {
  return Array.from(
    { length: count },
    () => `${capital(sentence(random, 8 + Math.floor(random() * 30)))}.`,
  ).join('\n\n')
}

function sentence(random: () => number, length: number): string {
  let line = ''
  const lines: string[] = []
  for (let i = 0; i < length; i++) {
    line += `${line === '' ? '' : ' '}${pick(random)}`
    if (line.length > 66) {
      lines.push(line)
      line = ''
    }
  }
  return [...lines, line]
    .join('\n')
    .trim()
    .replaceAll('\n', length < 10 ? ' ' : '\n')
}

/** Zipf's law, as in any language: the lower the rank of a word, the more common it is. */
function pick(random: () => number): string {
  return wordOf(Math.floor(vocabulary ** random()) - 1)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
