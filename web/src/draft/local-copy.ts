import type { Draft } from '../../../src/model/draft.ts'
import { session } from '../session/session.ts'

/** What the user can type. */
export type DraftFields = Pick<Draft, 'text' | 'from' | 'to' | 'cc' | 'bcc' | 'subject'>

export const emptyFields: DraftFields = { text: '', from: null, to: [], cc: [], bcc: [], subject: '' }

export interface LocalCopy extends DraftFields {
  /** The revision that was edited; null if the server has no draft yet. */
  revision: number | null
  savedAt: number
}

const prefix = 'spool:draft:'
const longestLife = 30 * 86_400_000

function keyOf(name: string): string {
  return `${prefix}${session.value?.user.id ?? ''}:${name}`
}

/**
 * Kept on this device until the server has it: survives a crash, a reload, a lost connection or an expired session.
 */
export function keepCopy(name: string, copy: Omit<LocalCopy, 'savedAt'>): void {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify({ ...copy, savedAt: Date.now() }))
  } catch {
    // Storage is full; the server still gets it.
  }
}

export function readCopy(name: string): LocalCopy | null {
  const text = localStorage.getItem(keyOf(name))
  return text === null ? null : (JSON.parse(text) as LocalCopy)
}

/** `fields`: drops the copy only if it holds these, not if it holds what was typed in another tab. */
export function dropCopy(name: string, fields?: DraftFields): void {
  const kept = fields && readCopy(name)
  if (!fields || (kept && sameFields(kept, fields))) localStorage.removeItem(keyOf(name))
}

export function dropOldCopies(): void {
  for (const key of Object.keys(localStorage).filter((each) => each.startsWith(prefix))) {
    const { savedAt = 0 } = JSON.parse(localStorage.getItem(key) ?? '{}') as { savedAt?: number }
    if (Date.now() - savedAt > longestLife) localStorage.removeItem(key)
  }
}

export function sameFields(one: DraftFields, other: DraftFields): boolean {
  const flat = ({ text, from, to, cc, bcc, subject }: DraftFields): string =>
    JSON.stringify([
      text,
      from ?? null,
      ...[to, cc, bcc].map((list) => list.map(({ name, address }) => [name, address])),
      subject,
    ])
  return flat(one) === flat(other)
}
