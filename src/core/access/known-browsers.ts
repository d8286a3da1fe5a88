import { randomBytes } from 'node:crypto'
import type { User } from '../../model/access.ts'
import type { Db } from '../../store/db.ts'
import { findPassword } from '../../store/people/sessions.ts'
import { isSame } from '../cursors.ts'
import type { Spool } from '../spool.ts'

/**
 * A browser somebody has signed in with before. It grants no access: its failed sign-ins are only counted apart from
 * strangers'.
 */
export interface KnownBrowser {
  id: string
  user: User
}

/**
 * The mark is signed, so that it cannot be forged, and valid only for the current password: changing or removing the
 * password invalidates all marks.
 */
export async function markBrowser(spool: Spool, db: Db, userId: string): Promise<string> {
  const known = await findPassword(db, { id: userId })
  if (!known) throw new Error('This user has no password.')
  const claim = `${userId}.${randomBytes(16).toString('base64url')}.${passwordMark(spool, known.password)}`
  return `${claim}.${spool.keys.browsers.sign(claim)}`
}

/** Null for a forged mark or one issued for an old password. */
export async function recogniseBrowser(spool: Spool, mark: string): Promise<KnownBrowser | null> {
  const end = mark.lastIndexOf('.')
  const claim = mark.slice(0, Math.max(0, end))
  // Checked first, so that a forged mark costs no query.
  if (!isSame(mark.slice(end + 1), spool.keys.browsers.sign(claim))) return null
  const [userId, id, password] = claim.split('.') as [string, string, string]
  const known = await findPassword(spool.db, { id: userId })
  return known && isSame(password, passwordMark(spool, known.password)) ? { id, user: known.user } : null
}

function passwordMark({ keys }: Spool, hash: string): string {
  return keys.browsers.sign(`password ${hash}`).slice(0, 22)
}
