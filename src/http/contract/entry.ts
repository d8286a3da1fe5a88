import { z } from 'zod'
import { User } from '../../model/access.ts'
import { Session } from '../../model/session.ts'
import { Invitation } from '../../model/settings.ts'
import { none, type RouteContract } from './route.ts'

const email = z.string().max(254)
const password = z.string().max(1000)
const name = z.string().max(200)
const token = z.string().max(200)

/** The routes open without a session. */
export const entryContract = {
  signIn: {
    method: 'POST',
    path: '/session',
    query: none,
    body: z.strictObject({ email, password }),
    answer: Session,
  },
  setUp: {
    method: 'POST',
    path: '/setup',
    query: none,
    body: z.strictObject({ token, email, name, password }),
    answer: Session,
  },
  getInvitation: {
    method: 'POST',
    path: '/invitations/look',
    query: none,
    body: z.strictObject({ token }),
    answer: Invitation,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/accept',
    query: none,
    body: z.strictObject({ token, name: name.nullable().default(null), password }),
    answer: Session,
  },
  getReset: {
    method: 'POST',
    path: '/resets/look',
    query: none,
    body: z.strictObject({ token }),
    answer: User.pick({ email: true, name: true }),
  },
  acceptReset: {
    method: 'POST',
    path: '/resets/accept',
    query: none,
    body: z.strictObject({ token, password }),
    answer: Session,
  },
} as const satisfies Record<string, RouteContract>
