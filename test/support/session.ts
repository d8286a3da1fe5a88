import { hash, randomBytes } from 'node:crypto'
import type { SignedIn } from '../../src/core/access/sessions.ts'
import type { Spool } from '../../src/core/spool.ts'
import type { User } from '../../src/model/access.ts'
import { newId } from '../../src/model/ids.ts'
import { transaction } from '../../src/store/database.ts'
import { insertSession } from '../../src/store/people/sessions.ts'

/** Creates a session without the cost of hashing a password, for tests that need many users but no sign-in. */
export async function makeSession(spool: Spool, user: User): Promise<{ secret: string; actor: SignedIn }> {
  const [id, secret] = [newId('ses'), randomBytes(32).toString('base64url')]
  const createdAt = spool.now()
  await transaction(spool.db, (db) =>
    insertSession(db, {
      id,
      hash: hash('sha256', secret, 'buffer'),
      userId: user.id,
      device: null,
      createdAt,
      endsAt: createdAt + 14 * 86_400_000,
    }),
  )
  return { secret, actor: { type: 'person', id: user.id, name: user.name, user, session: id } }
}
