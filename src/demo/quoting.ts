import { splitAddresses } from './message.ts'
import type { Client, DemoThread } from './thread.ts'

/** Replies as the common mail programs write them: new text, and the previous message in each program's style. */

export interface Body {
  text: string
  /** The content of `<body>`; null for a program that writes plain text. */
  html: string | null
}

/** The message being answered. */
export interface Quoted extends Body {
  from: string
  to: string
  subject: string
  date: number
}

type Language = NonNullable<DemoThread['language']>

const outlookLabels: Record<Language, [string, string, string, string]> = {
  en: ['From', 'Sent', 'To', 'Subject'],
  de: ['Von', 'Gesendet', 'An', 'Betreff'],
  fr: ['De', 'Envoyé', 'À', 'Objet'],
  es: ['De', 'Enviado', 'Para', 'Asunto'],
}
const calendars: Record<Language, Intl.DateTimeFormat> = {
  en: calendarOf('en-GB'),
  de: calendarOf('de-DE'),
  fr: calendarOf('fr-FR'),
  es: calendarOf('es-ES'),
}
const separator = '________________________________'

export function writeBody(text: string, client: Client, language: Language, quoted: Quoted | null): Body {
  return writers[client](text, language, quoted)
}

const writers: Record<Client, (text: string, language: Language, quoted: Quoted | null) => Body> = {
  bare: (text) => ({ text, html: null }),

  /** Writes below the quote, as is customary on mailing lists. */
  thunderbird: (text, language, quoted) => ({
    text: quoted ? `${attribution(quoted, language)}\n${prefixLines(quoted.text)}\n\n${text}` : text,
    html: null,
  }),

  gmail: (text, language, quoted) => {
    const html = `<div dir="ltr">${linesToHtml(text, 'div')}</div>`
    if (!quoted) return { text, html }
    const said = attribution(quoted, language)
    return {
      text: `${text}\n\n${said}\n\n${prefixLines(quoted.text)}`,
      html: `${html}<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${escapeHtml(said)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${quotedHtml(quoted)}</blockquote></div>`,
    }
  },

  apple: (text, language, quoted) => {
    const html = linesToHtml(text, 'div')
    if (!quoted) return { text, html }
    const said = attribution(quoted, language)
    return {
      text: `${text}\n\n${prefixLines(`${said}\n\n${quoted.text}`)}`,
      html: `${html}<div><br><blockquote type="cite"><div>${escapeHtml(said)}</div><br class="Apple-interchange-newline"><div>${quotedHtml(quoted)}</div></blockquote></div>`,
    }
  },

  outlook: (text, language, quoted) => {
    const html = `<div class="WordSection1">${linesToHtml(text, 'p class="MsoNormal"')}`
    if (!quoted) return { text, html: `${html}</div>` }
    const [from, sent, to, subject] = outlookLabels[language]
    const head: [string, string][] = [
      [from, quoted.from],
      [sent, formatMoment(quoted.date, language)],
      [to, quoted.to],
      [subject, quoted.subject],
    ]
    const headText = head.map(([label, value]) => `${label}: ${value}`).join('\n')
    const headHtml = head.map(([label, value]) => `<b>${label}:</b> ${escapeHtml(value)}`).join('<br>')
    return {
      text: `${text}\n\n${separator}\n${headText}\n\n${quoted.text}`,
      html: `${html}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${headHtml}<o:p></o:p></p></div><p class="MsoNormal"><o:p>&nbsp;</o:p></p>${quotedHtml(quoted)}</div>`,
    }
  },
}

/** The whole HTML document around a body. */
export function wrapHtml(body: string, client: Client): string {
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
  if (client === 'gmail') return body
  if (client !== 'outlook')
    return `<html><head>${meta}</head><body style="overflow-wrap: break-word; line-break: after-white-space;">${body}</body></html>`
  const style =
    'p.MsoNormal, li.MsoNormal {margin:0cm;font-size:11.0pt;font-family:"Calibri",sans-serif;} a:link {color:#0563C1;}'
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>${meta}<style><!-- ${style} --></style></head><body lang="EN-GB" link="#0563C1">${body}</body></html>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Turns every line into an element and `[image: NAME]` into an inline picture. */
function linesToHtml(text: string, element: string): string {
  const end = element.split(' ')[0]
  const lines = text.split('\n').map((line) => {
    const content = line ? linkAddresses(escapeHtml(line)) : '<br>'
    return `<${element}>${content.replace(/\[image: ([^\]]+)\]/, '<img src="cid:$1" alt="$1" width="240">')}</${end}>`
  })
  return lines.join('\n')
}

function linkAddresses(html: string): string {
  return html.replace(/https:\/\/[\w./?=-]*[\w/]/g, '<a href="$&">$&</a>')
}

/** Pictures stay with their original mail; a quote contains only their names. */
function quotedHtml(quoted: Quoted): string {
  const html = quoted.html ?? escapeHtml(quoted.text).replaceAll('\n', '<br>\n')
  return html.replace(/<img src="cid:([^"]+)"[^>]*>/g, '[image: $1]')
}

function prefixLines(text: string): string {
  return text.replace(/^(?=>)/gm, '>').replace(/^(?!>)/gm, '> ')
}

function attribution({ from, date }: Quoted, language: Language): string {
  const [{ name, address } = { name: '', address: from }] = splitAddresses(from)
  const who = `${name} <${address}>`.trim()
  const when = formatMoment(date, language)
  if (language === 'de') return `Am ${when} schrieb ${who}:`
  if (language === 'fr') return `Le ${when}, ${who} a écrit :`
  if (language === 'es') return `El ${when}, ${who} escribió:`
  return `On ${when}, ${who} wrote:`
}

function formatMoment(date: number, language: Language): string {
  const joint = { en: ' at ', de: ' um ', fr: ' à ', es: ' a las ' }[language]
  return `${calendars[language].format(date)}${joint}${new Date(date).toISOString().slice(11, 16)}`
}

function calendarOf(locale: string): Intl.DateTimeFormat {
  const parts = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  } as const
  return new Intl.DateTimeFormat(locale, parts)
}
