import type { Actor, User } from '../../model/access.ts'
import { SpoolError } from '../../model/errors.ts'
import type { Revoked, StandingAccess } from '../../model/settings.ts'
import { toTime, toTimeOrNull } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Tx } from '../../store/db.ts'
import { deleteLink, deleteLinks, listLinks } from '../../store/people/links.ts'
import { deleteSessionsOfUser, findPassword } from '../../store/people/sessions.ts'
import { listTokens, revokeTokensOfUser } from '../../store/people/tokens.ts'
import { updateUser } from '../../store/people/users.ts'
import { listWebhooks } from '../../store/webhooks/webhooks.ts'
import { markBrowser } from '../access/known-browsers.ts'
import { checkPassword, hashPassword } from '../access/passwords.ts'
import type { SignedIn } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { disableWebhooksOf } from '../webhooks/webhooks.ts'

/** Ids to keep; everything else is revoked, so that nothing survives because it was overlooked. */
export interface Kept {
  tokens: readonly string[]
  webhooks: readonly string[]
}

const nothing: Kept = { tokens: [], webhooks: [] }

/**
 * Somebody who had the old password or a session may have left access behind. So this ends other sessions and reset
 * links, the links an admin made for others, and tokens and webhooks unless kept. `password` is the hash.
 */
export async function replacePassword(
  db: Tx,
  user: User,
  password: string,
  by: { actor: Actor; now: number },
  { session = null, access = nothing }: { session?: string | null; access?: Kept | 'all' } = {},
): Promise<Revoked> {
  await updateUser(db, user.id, { password })
  await deleteSessionsOfUser(db, user.id, session)
  await deleteLinks(db, 'reset', user.email)
  if (access === 'all') return { tokens: 0, webhooks: 0 }
  await deleteLinksMadeBy(db, user.id, by.now)
  return {
    tokens: await revokeTokensOfUser(db, user.id, by.now, access.tokens),
    webhooks: await disableWebhooksOf(db, user.id, 'owner_password', by, access.webhooks),
  }
}

/** Each link grants access: as a new user, or as the person whose password it sets. */
async function deleteLinksMadeBy(db: Tx, userId: string, now: number): Promise<void> {
  for (const kind of ['invitation', 'reset'] as const)
    for (const { hash, data } of await listLinks(db, kind, now))
      if ((JSON.parse(data) as { by: string }).by === userId) await deleteLink(db, kind, hash)
}

/** Changes one's own password, given the current one; the current session stays. */
export async function changePassword(
  spool: Spool,
  actor: SignedIn,
  { current, wanted, keep }: { current: string; wanted: string; keep: Kept },
): Promise<{ browser: string; revoked: Revoked }> {
  const { user, session } = actor
  const known = await findPassword(spool.db, { id: user.id })
  if (!(await checkPassword(current, known?.password ?? null, 'known')) || !known)
    throw new SpoolError('forbidden', 'This is not your current password. Check it and try again.')
  const password = await hashPassword(wanted)
  return transaction(spool.db, async (db) => {
    if ((await findPassword(db, { id: user.id }))?.password !== known.password)
      throw new SpoolError('conflict', 'The password has just been changed elsewhere.')
    const by = { actor, now: spool.now() }
    const revoked = await replacePassword(db, known.user, password, by, { session, access: keep })
    return { browser: await markBrowser(spool, db, user.id), revoked }
  })
}

/** What has access without a password. */
export async function listStandingAccess(spool: Spool, actor: SignedIn): Promise<StandingAccess> {
  const now = spool.now()
  const tokens = await listTokens(spool.db, actor.id)
  const webhooks = await listWebhooks(spool.db, actor.id)
  return {
    tokens: tokens
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        createdAt: toTime(createdAt),
        lastUsedAt: toTimeOrNull(lastUsedAt),
      })),
    webhooks: webhooks
      .filter(({ state }) => state === 'enabled')
      .map(({ id, url, createdAt }) => ({ id, url, createdAt: toTime(createdAt) })),
  }
}
