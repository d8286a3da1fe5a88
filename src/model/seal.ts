import type { Letter } from './mail/letter.ts'

/**
 * What a seal is the SHA-256 of. The page makes it from what it shows, the core from what it would send: they agree only
 * if the person has seen exactly that. Stands alone, because the page loads it.
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
