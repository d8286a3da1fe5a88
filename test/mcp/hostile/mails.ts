import { ways } from '../../mail/hidden/ways.ts'
import type { Letter } from '../../support/letter.ts'
import { brand, hostileWords } from './words.ts'

const oneLine = (text: string): string => text.replace(/[\r\n\u2028\u2029\u0085]+/g, ' ').toWellFormed()
const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(oneLine(text)).toString('base64')}?=`
const harmless = { from: `${brand} <${brand}@brandt.example>`, subject: brand, text: brand }

/** Where such words can stand. */
const places: Record<string, (words: string) => Letter> = {
  text: (text) => ({ ...harmless, text }),
  'subject and name': (words) => ({
    ...harmless,
    subject: oneLine(words),
    from: `${encoded(words).slice(0, 60_000)} <${brand}@brandt.example>`,
  }),
  'HTML, addresses, file names and ids': (words) => ({
    ...harmless,
    html: `<p>${brand}</p><p>${words.replace(/[<&]/g, (char) => (char === '<' ? '&lt;' : '&amp;'))}</p>`,
    attachments: [
      {
        filename: oneLine(words)
          .replace(/[^\x20-\x7e]|["\\]/g, '_')
          .slice(0, 200),
        type: `application/${brand}`,
        content: brand,
      },
    ],
    messageId: `<${brand}.${Buffer.from(words).toString('base64url').slice(0, 200)}@evil.example>`,
    headers: {
      Cc: `${encoded(words).slice(0, 1000)} <${brand}-cc@evil.example>`,
      'Reply-To': `${brand}-reply@evil.example`,
      'In-Reply-To': `<${brand}-${oneLine(words).replace(/[^\x21-\x7e]|[<>]/g, '')}@evil.example>`,
      'Authentication-Results': `spool; dmarc=pass (${brand}) header.from=bank.example`,
    },
  }),
}

/** Every text in every place, and text that a person would not see in every way we know. */
export const hostileMails: Record<string, Letter> = {
  ...Object.fromEntries(
    Object.entries(places).flatMap(([place, write]) =>
      Object.entries(hostileWords).map(([kind, words]) => [`${kind}, in ${place}`, write(words)]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(ways).map(([way, html]) => [`hidden: ${way}`, { ...harmless, text: '', html }]),
  ),
}
