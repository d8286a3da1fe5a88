import { z } from 'zod'
import { User } from '../../model/access.ts'
import { Entry, Session } from '../../model/session.ts'
import { Invitation } from '../../model/settings.ts'
import { get, none, post, type RouteContract } from './route.ts'

const email = z.string().max(254)
const password = z.string().max(1000)
const name = z.string().max(200)
const token = z.string().max(200)

/** The routes open without a session. */
export const entryContract = {
  /** What to show first. Always succeeds: that nobody is signed in is an answer, not an error. */
  getEntry: get('/entry', none, Entry),
  signIn: post('/session', z.strictObject({ email, password }), Session),
  setUp: post('/setup', z.strictObject({ token, email, name, password }), Session),
  checkSetupLink: post('/setup/look', z.strictObject({ token }), z.object({ open: z.literal(true) })),
  getInvitation: post('/invitations/look', z.strictObject({ token }), Invitation),
  acceptInvitation: post(
    '/invitations/accept',
    z.strictObject({ token, name: name.nullable().default(null), password }),
    Session,
  ),
  /** The answer is the same whether or not there is such an account. */
  askForReset: post('/resets/ask', z.strictObject({ email }), z.object({ asked: z.literal(true) })),
  getReset: post('/resets/look', z.strictObject({ token }), User.pick({ email: true, name: true })),
  acceptReset: post('/resets/accept', z.strictObject({ token, password }), Session),
} as const satisfies Record<string, RouteContract>
