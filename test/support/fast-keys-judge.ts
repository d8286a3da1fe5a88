import type { Account, Deed, Press, Screen } from './fast-keys.ts'

/** Keys that act on threads, and what they do. */
const effects: Record<string, string> = {
  e: 'closed',
  E: 'open',
  '#': 'spam',
  m: 'assigned',
  u: 'unread',
}
const moves: Record<string, 1 | -1> = { j: 1, J: 1, k: -1, K: -1 }

/** Whether no key was so late, on a busy machine, that the page took it for one after a pause. */
export function isFast({ presses }: Account): boolean {
  return presses.every(({ at }, index) => index === 0 || at - presses[index - 1]!.at < 900)
}

/** What the person believes, from the screen and the keys pressed since they last looked. */
interface Belief {
  open: string | null
  marked: Set<string>
  /** The field that is being written in. */
  field: { field: string; thread: string | null; text: string } | null
}

interface Meant {
  press: number
  effect: string
  ids: ReadonlySet<string>
}

/** Compares what was meant by each key, as the screen was when it went down, with what was done; returns what is wrong. */
export function judge(
  { presses, deeds }: Account,
  place: string,
  canonical: (id: string) => string,
): string[] {
  const { acts, texts } = readKeys(presses, place)
  const same = (one: string | null, other: string | null): boolean =>
    one !== null && other !== null && canonical(one) === canonical(other)
  const wrong: string[] = []
  /** Each key acts once. */
  const used = new Set<number>()
  for (const deed of deeds) {
    if (deed.type === 'act') {
      const isMeant = (ids: ReadonlySet<string>): boolean =>
        deed.ids.every((id) => [...ids].some((each) => same(each, id)))
      const key = acts.find(
        ({ press, effect, ids }) =>
          !used.has(press) && press < deed.press && effect === deed.effect && isMeant(ids),
      )
      if (key) used.add(key.press)
      else wrong.push(`${deed.effect} ${deed.ids.join(' and ')} after key ${deed.press}`)
    } else if (deed.type === 'note') {
      const found = texts.some(
        ({ field, thread, text }) => field === 'note' && same(thread, deed.thread) && text === deed.text,
      )
      if (!found) wrong.push(`the note “${deed.text}” for ${deed.thread} after key ${deed.press}`)
    } else if (deed === fieldOf(deeds, deed)) {
      const own = texts.filter(({ field, thread }) => field === deed.field && same(thread, deed.thread))
      const rest = own.reduce((left, { text }) => left.replace(text, ''), deed.text)
      if (rest !== '' && !own.some(({ text }) => text.startsWith(rest)))
        wrong.push(
          `“${deed.text}” in the ${deed.field} of ${deed.thread ?? 'no thread'} after key ${deed.press}`,
        )
    }
  }
  return wrong
}

/** What a field held in the end. */
function fieldOf(
  deeds: Account['deeds'],
  { thread, field }: Extract<Deed, { type: 'text' }>,
): Deed | undefined {
  return deeds.findLast((deed) => deed.type === 'text' && deed.thread === thread && deed.field === field)
}

function readKeys(
  presses: readonly Press[],
  place: string,
): { acts: Meant[]; texts: NonNullable<Belief['field']>[] } {
  const acts: Meant[] = []
  const texts: NonNullable<Belief['field']>[] = []
  const gone = new Set<string>()
  /** Those that a queued key has yet to remove from the list. */
  const leaving = new Set<string>()
  let belief = believe(presses[0]!.before)
  for (const [index, { key, before, after, acted }] of presses.entries()) {
    for (const id of leaving) if (!before.rows.includes(id)) leaving.delete(id)
    if (key === 'Escape') {
      leaving.clear()
      belief = believe(after)
      continue
    }
    const { open, marked, field } = belief
    if (field) {
      if (key === 'Enter') belief.field = { field: 'note', thread: field.thread, text: '' }
      else field.text += key
      if (key === 'Enter') texts.push(belief.field!)
      continue
    }
    if (key === 'r' || key === 'n') {
      belief.field = { field: key === 'r' ? 'draft' : 'note', thread: open, text: '' }
      texts.push(belief.field)
    } else if (key === 'x') {
      if (open !== null && before.rows.includes(open) && !marked.delete(open)) marked.add(open)
    } else if (moves[key]) {
      // From a thread that has no row, only the page knows the next.
      const isListed = open === null || before.rows.includes(open)
      const next = isListed ? rowFrom(before.rows, open, moves[key], (id) => !leaving.has(id)) : after.open
      if (key === 'J' || key === 'K')
        for (const id of [open, next]) if (id !== null && before.rows.includes(id)) marked.add(id)
      belief.open = next ?? open
    } else if (effects[key]) {
      const ids = new Set(marked.size > 0 ? marked : open === null ? [] : [open])
      acts.push({ press: index, effect: effects[key], ids })
      marked.clear()
      const leaves = key === 'e' || key === '#'
      if (leaves) for (const id of ids) gone.add(id)
      // Searches, Unread, the closed ones and the drafts keep their rows.
      const keeps = ['search', 'unread', 'closed', 'review'].includes(place)
      const reopened = key === 'E' && (place === 'waiting' || place === 'closed')
      if (!acted && ((leaves && !keeps) || reopened)) for (const id of ids) leaving.add(id)
      if (acted) belief = believe(after)
      else if (open !== null && ids.has(open) && key === 'u') belief.open = null
      else if (open !== null && ids.has(open) && leaves)
        // From the list of drafts, closing a thread leads back to that list.
        belief.open =
          place === 'review'
            ? null
            : (rowFrom(before.rows, open, 1, (id) => !gone.has(id)) ??
              rowFrom(before.rows, open, -1, (id) => !gone.has(id)))
    }
  }
  return { acts, texts }
}

function believe({ open, marked }: Screen): Belief {
  return { open, marked: new Set(marked), field: null }
}

/** The next thread in this direction that will do. With none open, the first. */
function rowFrom(
  rows: readonly string[],
  open: string | null,
  step: 1 | -1,
  willDo: (id: string) => boolean,
): string | null {
  if (open === null) return rows[0] ?? null
  for (let at = rows.indexOf(open) + step; at >= 0 && at < rows.length; at += step)
    if (willDo(rows[at]!)) return rows[at]!
  return null
}
