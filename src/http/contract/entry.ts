import { z } from 'zod'
import { User } from '../../model/access.ts'
import { Session } from '../../model/session.ts'
import { Invitation } from '../../model/settings.ts'
import { send, type RouteContract } from './route.ts'

const email = z.string().max(254)
const password = z.string().max(1000)
const name = z.string().max(200)
const token = z.string().max(200)

/** The routes open without a session. */
export const entryContract = {
  signIn: send('POST', '/session', z.strictObject({ email, password }), Session),
  setUp: send('POST', '/setup', z.strictObject({ token, email, name, password }), Session),
  getInvitation: send('POST', '/invitations/look', z.strictObject({ token }), Invitation),
  acceptInvitation: send(
    'POST',
    '/invitations/accept',
    z.strictObject({ token, name: name.nullable().default(null), password }),
    Session,
  ),
  getReset: send('POST', '/resets/look', z.strictObject({ token }), User.pick({ email: true, name: true })),
  acceptReset: send('POST', '/resets/accept', z.strictObject({ token, password }), Session),
} as const satisfies Record<string, RouteContract>
