/** Threads of three mails each, as mail programs write them in many languages. What is new in each mail is known. */

import { clients, escape, headOf } from './clients.ts'
import type { Client, Content, Layout, Reply } from './clients.ts'
import { languages } from './languages.ts'
import type { Language, Person } from './language.ts'

export interface ChainMail {
  raw: Buffer
  /** Its new words, in paragraphs; null where all of it is new. */
  expected: string[] | null
}

export interface Chain {
  name: string
  mails: ChainMail[]
}

const carla: Person = { name: 'Carla Brandt', address: 'carla@brandt.example' }
const bob: Person = { name: 'Bob Miller', address: 'bob@miller.example' }

interface Plan {
  language: Language
  client: Client
  other: Client
  html: boolean
  layout: Layout
  forwards: boolean
  signs: boolean
}

/** Every client in every language, with layout, form, forward and signature in turn. */
export function* makeChains(every = 1): Generator<Chain> {
  let at = 0
  for (const [l, language] of languages.entries())
    for (const [c, client] of clients.entries())
      for (const html of [false, true]) {
        at += 1
        if (at % every !== 0) continue
        const turn = l + c + (html ? 1 : 0)
        yield makeChain({
          language,
          client,
          other: clients[(c + 1 + (l % (clients.length - 1))) % clients.length]!,
          html,
          layout: client.layouts[turn % client.layouts.length]!,
          forwards: turn % 5 === 4,
          signs: turn % 3 === 0,
        })
      }
}

function makeChain(plan: Plan): Chain {
  const { language, client, other, html, layout, forwards, signs } = plan
  const [one, two, three, four, five, six] = language.sentences
  const subject = 'Parcel 4711'
  const first = contentOf([one, '', two])
  const mails = [write({ plan, number: 1, from: carla, subject, content: first, expected: [one, two] })]

  const reply: Reply = { language, author: carla, reader: bob, subject }
  const second = answer(
    client,
    reply,
    layout,
    [three, four],
    first,
    signs ? 'Bob Miller\nMiller & Sons' : null,
  )
  const title = `${language.reply}: ${subject}`
  mails.push(write({ plan, number: 2, from: bob, subject: title, content: second, expected: [three, four] }))

  const last: Reply = { language, author: bob, reader: carla, subject: title }
  if (forwards) {
    const content = forward(other, last, [five], second)
    mails.push(
      write({
        plan,
        number: 3,
        from: carla,
        subject: `${language.forward}: ${subject}`,
        content,
        expected: null,
      }),
    )
  } else {
    const third = answer(other, last, other.layouts[0]!, [five, six], second, null)
    mails.push(write({ plan, number: 3, from: carla, subject: title, content: third, expected: [five, six] }))
  }
  const kind = `${html ? 'html' : 'plain'} ${layout}${signs ? ' signed' : ''}${forwards ? ' forwarded' : ''}`
  return { name: `${language.code} ${client.name}, then ${other.name}: ${kind}`, mails }
}

function contentOf(lines: string[]): Content {
  return { plain: lines, html: paragraphs(lines) }
}

const paragraphs = (lines: string[]) =>
  lines.map((line) => (line === '' ? '<div><br></div>' : `<div>${escape(line)}</div>`)).join('')

function answer(
  client: Client,
  reply: Reply,
  layout: Layout,
  [one, two]: [string, string],
  quoted: Content,
  signature: string | null,
): Content {
  const phone = client.signature === 'phone' ? reply.language.phone : null
  const signed =
    signature === null ? [] : phone !== null ? ['', phone] : ['', '-- ', ...signature.split('\n')]
  const signedHtml =
    signature === null
      ? ''
      : `<div><br></div>${client.htmlSignature(phone ?? escape(signature).replaceAll('\n', '<br>'))}`
  const head = client.plainHead(reply)
  const quote = client.headInside
    ? mark([...head, '', ...quoted.plain])
    : client.quotes
      ? mark(quoted.plain)
      : quoted.plain
  const above = client.headInside ? [] : head
  const { before, after, block } = client.html(reply, headOf(client, reply), quoted.html)
  const own = paragraphs([one, '', two])
  switch (layout) {
    case 'top':
      return {
        plain: [one, '', two, ...signed, '', ...above, ...quote],
        html: `${own}${signedHtml}${before}${block(quoted.html)}${after}`,
      }
    case 'bottom':
      return {
        plain: [...above, ...quote, '', one, '', two, ...signed],
        html: `${before}${block(quoted.html)}${after}${own}${signedHtml}`,
      }
    case 'inline': {
      const half = quote.length >> 1
      const middle = paragraphs(['', two])
      const start = quoted.plain.length >> 1
      return {
        plain: [...above, ...quote.slice(0, half), '', one, '', ...quote.slice(half), '', two, ...signed],
        html: `${before}${block(paragraphs(quoted.plain.slice(0, start)))}${paragraphs([one, ''])}<blockquote type="cite" class="gmail_quote">${paragraphs(quoted.plain.slice(start))}</blockquote>${after}${middle}${signedHtml}`,
      }
    }
  }
}

const mark = (lines: string[]) =>
  lines.map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))

function forward(client: Client, reply: Reply, own: string[], quoted: Content): Content {
  const head = client.forwardHead(reply)
  return {
    plain: [...own, '', ...head, ...quoted.plain],
    html: `${paragraphs([...own, ''])}<div class="gmail_quote">${paragraphs(head)}<br>${quoted.html}</div>`,
  }
}

interface Draft {
  plan: Plan
  number: number
  from: Person
  subject: string
  content: Content
  expected: string[] | null
}

function write({ plan, number, from, subject, content, expected }: Draft): ChainMail {
  const ids = Array.from({ length: number }, (_, at) => `<${plan.language.code}.${at + 1}@chain.example>`)
  const to = from === carla ? bob : carla
  const { plain, html } = content
  const header = [
    `Message-ID: ${ids.at(-1)}`,
    ...(number > 1 ? [`In-Reply-To: ${ids.at(-2)}`, `References: ${ids.slice(0, -1).join(' ')}`] : []),
    `From: ${from.name} <${from.address}>`,
    `To: ${to.name} <${to.address}>`,
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: Tue, 03 Nov 2026 1${number}:42:11 +0100`,
    'MIME-Version: 1.0',
    `Content-Type: text/${plan.html ? 'html' : 'plain'}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
  ]
  const body = plan.html ? `<!doctype html><html><body>${html}</body></html>` : plain.join('\n')
  return { raw: Buffer.from(`${header.join('\n')}\n\n${body}\n`), expected }
}
