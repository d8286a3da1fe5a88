import { z } from 'zod'
import { User } from '../../model/access.ts'
import { Session } from '../../model/session.ts'
import { Invitation } from '../../model/settings.ts'
import { post, type RouteContract } from './route.ts'

const email = z.string().max(254)
const password = z.string().max(1000)
const name = z.string().max(200)
const token = z.string().max(200)

/** The routes open without a session. */
export const entryContract = {
  signIn: post('/session', z.strictObject({ email, password }), Session),
  setUp: post('/setup', z.strictObject({ token, email, name, password }), Session),
  getInvitation: post('/invitations/look', z.strictObject({ token }), Invitation),
  acceptInvitation: post(
    '/invitations/accept',
    z.strictObject({ token, name: name.nullable().default(null), password }),
    Session,
  ),
  getReset: post('/resets/look', z.strictObject({ token }), User.pick({ email: true, name: true })),
  acceptReset: post('/resets/accept', z.strictObject({ token, password }), Session),
} as const satisfies Record<string, RouteContract>
