import type { Letter } from './mail/letter.ts'

/**
 * The text whose SHA-256 is the seal. The page computes it from what it shows, the core from what it would send: they
 * match only if the person has seen exactly that. No runtime imports, because the page bundles it.
 */
export function sealText(letter: Letter): string {
  const people = (list: Letter['to']): unknown => list.map(({ name, address }) => [name, address])
  return JSON.stringify([
    'spool letter 1',
    people([letter.from]),
    people(letter.to),
    people(letter.cc),
    people(letter.bcc),
    letter.subject,
    letter.body,
    letter.attachments.map(({ filename, contentType, hash }) => [filename, contentType, hash]),
    letter.newestMessageId,
  ])
}
