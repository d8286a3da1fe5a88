import type { Language, Person } from './language.ts'

/** What a mail says, as the program that quotes it has it. */
export interface Content {
  /** Lines, without those of a quote's own wrapping. */
  plain: string[]
  html: string
}

export interface Reply {
  language: Language
  /** Whose mail is quoted. */
  author: Person
  reader: Person
  subject: string
}

export type Layout = 'top' | 'bottom' | 'inline'

export interface Client {
  name: string
  layouts: readonly Layout[]
  /** Lines above the quote, and how the quote's own lines are marked. */
  plainHead: (reply: Reply) => string[]
  quotes: boolean
  /** Apple Mail puts the attribution into the quote. */
  headInside?: boolean
  html: (
    reply: Reply,
    head: string,
    quoted: string,
  ) => { before: string; after: string; block: (inner: string) => string }
  signature: 'dashes' | 'phone' | 'marked'
  htmlSignature: (text: string) => string
  forwardHead: (reply: Reply) => string[]
}

const all: Layout[] = ['top', 'bottom', 'inline']

function attribution(pattern: string, { name, address }: Person): string {
  return pattern.replace('N', name).replace(/A(?![\p{L}])/u, `<${address}>`)
}

/** Programs that send plain text wrap long lines, the attribution too. */
function wrap(line: string): string[] {
  if (line.length <= 78) return [line]
  const at = line.lastIndexOf(' ', 78)
  return at <= 0 ? [line] : [line.slice(0, at), ...wrap(line.slice(at + 1))]
}

function headerBlock({ language, author, reader, subject }: Reply): string[] {
  const [from, date, to, title] = language.labels
  return [
    `${from}: ${author.name} <${author.address}>`,
    `${date}: ${language.moment}`,
    `${to}: ${reader.name} <${reader.address}>`,
    `${title}: ${subject}`,
  ]
}

export const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function boldBlock(reply: Reply): string {
  return headerBlock(reply)
    .map((line) => {
      const colon = line.indexOf(': ')
      return `<b>${escape(line.slice(0, colon))}:</b> ${escape(line.slice(colon + 2))}`
    })
    .join('<br>')
}

const lastLine = (lines: string[]) => escape(lines.join(' '))

export const clients: Client[] = [
  {
    name: 'Gmail',
    layouts: all,
    plainHead: ({ language, author }) => wrap(attribution(language.gmail, author)),
    quotes: true,
    html: (_, head) => ({
      before: `<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${head}<br></div>`,
      block: (inner) =>
        `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${inner}</blockquote>`,
      after: '</div>',
    }),
    signature: 'marked',
    htmlSignature: (text) =>
      `<span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">${text}</div>`,
    forwardHead: ({ author, reader, subject }) => [
      '---------- Forwarded message ---------',
      `From: ${author.name} <${author.address}>`,
      'Date: Tue, Nov 3, 2026 at 10:42 AM',
      `Subject: ${subject}`,
      `To: ${reader.name} <${reader.address}>`,
      '',
    ],
  },
  {
    name: 'Thunderbird',
    layouts: all,
    plainHead: ({ language, author }) => [attribution(language.thunderbird, author)],
    quotes: true,
    html: (_, head) => ({
      before: `<div class="moz-cite-prefix">${head}<br></div>`,
      block: (inner) => `<blockquote type="cite" cite="mid:1@example.org">${inner}</blockquote>`,
      after: '',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<div class="moz-signature">-- <br>${text}</div>`,
    forwardHead: (reply) => [
      `-------- ${reply.language.forwarded} --------`,
      `${reply.language.labels[3]}: ${reply.subject}`,
      `${reply.language.labels[1]}: Tue, 3 Nov 2026 10:42:11 +0100`,
      `${reply.language.labels[0]}: ${reply.author.name} <${reply.author.address}>`,
      `${reply.language.labels[2]}: ${reply.reader.name} <${reply.reader.address}>`,
      '',
    ],
  },
  {
    name: 'Apple Mail',
    layouts: ['top', 'inline'],
    plainHead: ({ language, author }) => [attribution(language.apple, author)],
    quotes: true,
    headInside: true,
    html: (_, head) => ({
      before: '',
      block: (inner) =>
        `<div><blockquote type="cite"><div>${head}</div><br class="Apple-interchange-newline"><div>${inner}</div></blockquote></div>`,
      after: '<br>',
    }),
    signature: 'phone',
    htmlSignature: (text) => `<div dir="ltr">${text}</div>`,
    forwardHead: (reply) => [reply.language.appleForward, '', ...headerBlock(reply), ''],
  },
  {
    name: 'Outlook on Windows',
    layouts: ['top'],
    plainHead: (reply) => ['', ...headerBlock(reply), ''],
    quotes: false,
    html: (reply) => ({
      before: `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${boldBlock(reply)}</p></div></div><p class="MsoNormal">&nbsp;</p>`,
      block: (inner) => inner,
      after: '',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<p class="MsoNormal">-- <br>${text}</p>`,
    forwardHead: (reply) => [...headerBlock(reply), ''],
  },
  {
    name: 'Outlook on the web',
    layouts: ['top'],
    plainHead: (reply) => ['________________________________', ...headerBlock(reply), ''],
    quotes: false,
    html: (reply) => ({
      before: `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">${boldBlock(reply)}</font><div>&nbsp;</div></div>`,
      block: (inner) => `<div>${inner}</div>`,
      after: '',
    }),
    signature: 'marked',
    htmlSignature: (text) => `<div id="Signature"><div>${text}</div></div>`,
    forwardHead: (reply) => ['________________________________', ...headerBlock(reply), ''],
  },
  {
    name: 'Outlook of 2003',
    layouts: ['top'],
    plainHead: (reply) => [`-----${reply.language.original}-----`, ...headerBlock(reply), ''],
    quotes: false,
    html: (reply) => ({
      before: `<div><div style='border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in'><p>${boldBlock(reply)}</p></div></div>`,
      block: (inner) => inner,
      after: '',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<p>-- <br>${text}</p>`,
    forwardHead: (reply) => [...headerBlock(reply), ''],
  },
  {
    name: 'GMX',
    layouts: ['top'],
    plainHead: (reply) => {
      const [from, date, to, title] = headerBlock(reply)
      return [date!, from!, to!, title!, '']
    },
    quotes: false,
    html: (reply) => {
      const [from, date, to, title] = headerBlock(reply).map(escape)
      return {
        before: `<div name="quote" style="margin:10px 5px 5px 10px;padding:10px 0 10px 10px;border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>${date}</b><br><b>${from}</b><br><b>${to}</b><br><b>${title}</b></div><div name="quoted-content">`,
        block: (inner) => inner,
        after: '</div></div>',
      }
    },
    signature: 'dashes',
    htmlSignature: (text) => `<div>-- <br>${text}</div>`,
    forwardHead: (reply) => [...headerBlock(reply), ''],
  },
  {
    name: 'Samsung',
    layouts: ['top'],
    plainHead: (reply) => [`-------- ${reply.language.original} --------`, ...headerBlock(reply), ''],
    quotes: false,
    html: (reply) => ({
      before: `<div><br></div><div style="font-size:100%;color:#000000"><!-- originalMessage --><div>-------- ${reply.language.original} --------</div>${headerBlock(
        reply,
      )
        .map((line) => `<div>${escape(line)}</div>`)
        .join('')}<div><br></div></div>`,
      block: (inner) => inner,
      after: '',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<div>-- <br>${text}</div>`,
    forwardHead: (reply) => [`-------- ${reply.language.original} --------`, ...headerBlock(reply), ''],
  },
  {
    name: 'Yahoo',
    layouts: ['top'],
    plainHead: ({ language, author }) => [`    ${attribution(language.gmail, author)}  `, ' '],
    quotes: false,
    html: (_, head) => ({
      before: `<div id="ydp1yahoo_quoted_1" class="yahoo_quoted"><div style="font-family:'Helvetica Neue', Helvetica, Arial, sans-serif;font-size:13px;color:#26282a;"><div>${head}</div><div><br></div><div><br></div>`,
      block: (inner) => `<div><div>${inner}</div></div>`,
      after: '</div></div>',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<div class="ydp1signature">-- <br>${text}</div>`,
    forwardHead: ({ author, reader, subject }) => [
      '   ----- Forwarded Message -----',
      `From: ${author.name} <${author.address}>`,
      `To: ${reader.name} <${reader.address}>`,
      'Sent: Tuesday, November 3, 2026 at 10:42:11 AM GMT+1',
      `Subject: ${subject}`,
      '',
    ],
  },
  {
    name: 'Zoho',
    layouts: ['top', 'bottom'],
    plainHead: ({ author }) => [
      `---- On Tue, 03 Nov 2026 10:42:11 +0100 ${author.name} <${author.address}> wrote ----`,
      '',
    ],
    quotes: true,
    html: ({ author }) => ({
      before: `<div class="zmail_extra"><div>---- On Tue, 03 Nov 2026 10:42:11 +0100 <b>${author.name} &lt;${author.address}&gt;</b> wrote ----</div><div><br></div>`,
      block: (inner) => `<blockquote style="margin: 0px;"><div>${inner}</div></blockquote>`,
      after: '</div>',
    }),
    signature: 'dashes',
    htmlSignature: (text) => `<div>-- <br>${text}</div>`,
    forwardHead: ({ author, reader, subject }) => [
      '============ Forwarded message ============',
      `From: ${author.name} <${author.address}>`,
      `To: ${reader.name} <${reader.address}>`,
      'Date: Tue, 03 Nov 2026 10:42:11 +0100',
      `Subject: ${subject}`,
      '============ Forwarded message ============',
      '',
    ],
  },
  {
    name: 'Proton',
    layouts: ['top', 'bottom'],
    plainHead: ({ language, author }) => [attribution(language.gmail, author), ''],
    quotes: true,
    html: (_, head) => ({
      before: `<div class="protonmail_quote">${head}<br><br>`,
      block: (inner) => `<blockquote class="protonmail_quote" type="cite">${inner}</blockquote>`,
      after: '</div>',
    }),
    signature: 'marked',
    htmlSignature: (text) =>
      `<div class="protonmail_signature_block"><div class="protonmail_signature_block-user">${text}</div></div>`,
    forwardHead: (reply) => ['------- Forwarded Message -------', ...headerBlock(reply), ''],
  },
]

export const headOf = (client: Client, reply: Reply): string => lastLine(client.plainHead(reply)).trim()
