const longestId = 998
const mostReferences = 1000

/** With angle brackets, as ids are compared everywhere; null if the field is empty. */
export function readMessageId(field: string): string | null {
  const found = /<[^<>]*>/.exec(field)?.[0] ?? field.trim().split(/\s+/, 1)[0]!
  return normalizeId(found)
}

/** Old clients write prose with an id in In-Reply-To: the first in brackets counts. Without brackets there is none. */
export function readInReplyTo(field: string): string | null {
  const bracketed = /<[^<>]*>/.exec(field)
  return bracketed === null ? null : normalizeId(bracketed[0])
}

/** All ids in order, without duplicates; of very many, the first and the last ones, which threading needs most. */
export function readReferences(fields: string[]): string[] {
  const ids = new Set<string>()
  for (const field of fields) {
    // An id without its closing bracket was truncated in transit and would name another message.
    for (const [found] of field.matchAll(/<[^<>]*>/g)) {
      const id = normalizeId(found)
      if (id !== null) ids.add(id)
    }
  }
  const list = [...ids]
  return list.length <= mostReferences ? list : [list[0]!, ...list.slice(1 - mostReferences)]
}

/** Folding may have put white space inside an id. */
function normalizeId(written: string): string | null {
  const id = written.replace(/[<>\s\0]/g, '')
  return id === '' ? null : `<${id.slice(0, longestId - 2).toWellFormed()}>`
}
