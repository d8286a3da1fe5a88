import { z } from 'zod'
import {
  completeTrial,
  createInbox,
  getInboxSettings,
  listInboxSettings,
  reviseInbox,
} from '../../../core/inbox-settings.ts'
import { removeInbox } from '../../../core/inboxes.ts'
import { askForSync } from '../../../core/mailbox-state.ts'
import { probeMailServer } from '../../../mail/try-connection.ts'
import { findProvider, guessProvider } from '../../../model/mail-providers.ts'
import { mailServerKinds, securities } from '../../../model/mail-server.ts'
import { admins, defineAppRoute } from '../../app-route.ts'
import { given } from '../../query.ts'

const none = z.strictObject({})
const address = z.string().max(254)
const password = z.string().min(1).max(1000)

const Server = z.strictObject({
  host: z.string().max(300),
  port: z.int(),
  security: z.enum(securities),
  username: z.string().max(320).nullable(),
})
const ServerWithPassword = Server.extend({ password: password.optional() }).transform(given)

const wishes = {
  name: z.string().max(200),
  imap: ServerWithPassword.nullable(),
  smtp: ServerWithPassword.nullable(),
  folders: z.array(z.string().min(1).max(500)).min(1).max(100).nullable(),
  markSeen: z.boolean(),
}
const Wishes = z.strictObject(wishes).partial()

export const inboxList = defineAppRoute({
  method: 'GET',
  path: '/settings/inboxes',
  operationId: 'listInboxSettings',
  roles: admins,
  query: none,
  body: null,
  handle: async ({ spool }) => ({ body: { data: await listInboxSettings(spool) } }),
})

export const inboxGet = defineAppRoute({
  method: 'GET',
  path: '/settings/inboxes/{id}',
  operationId: 'getInboxSettings',
  roles: admins,
  query: none,
  body: null,
  handle: async ({ spool, path }) => ({ body: await getInboxSettings(spool, path['id']!) }),
})

/** Where the mail of an address is: known, or guessed from its domain. */
export const providerFind = defineAppRoute({
  method: 'POST',
  path: '/settings/providers',
  operationId: 'findProvider',
  roles: admins,
  query: none,
  body: z.strictObject({
    address: address
      .trim()
      .toLowerCase()
      .regex(/^[^\s@]+@[a-z0-9.-]+\.[a-z0-9-]+$/, 'is an e-mail address'),
  }),
  async handle({ body }) {
    const domain = body.address.split('@')[1]!
    const known = findProvider(domain)
    const { name, imap, smtp, takesPasswords, passwordHint, link } = known ?? guessProvider(domain)
    const username = body.address
    return {
      body: {
        provider: {
          name,
          imap: { ...imap, username },
          smtp: { ...smtp, username },
          takesPasswords,
          passwordHint,
          link,
          guessed: known === null,
        },
      },
    }
  },
})

const tryMilliseconds = 15_000

/** Signs in as the workers would, and says in words what is wrong; changes nothing. */
export const serverTry = defineAppRoute({
  method: 'POST',
  path: '/settings/try',
  operationId: 'tryServer',
  roles: admins,
  query: none,
  body: z.strictObject({
    kind: z.enum(mailServerKinds),
    server: Server,
    password: password.optional(),
    inboxId: z.string().max(100).nullable().default(null),
  }),
  async handle({ spool, body: { kind, server, password, inboxId }, guard }) {
    // Else somebody could have Spool guess the passwords of others elsewhere.
    await guard.countTrial()
    const complete = await completeTrial(spool, kind, given({ ...server, password }), inboxId)
    const trial = await probeMailServer(complete, tryMilliseconds)
    if (!trial.ok) return { body: { ok: false, problem: trial.problem, message: trial.message } }
    return { body: { ok: true, ...(trial.folders ? { folders: trial.folders } : {}) } }
  },
})

export const inboxCreate = defineAppRoute({
  method: 'POST',
  path: '/settings/inboxes',
  operationId: 'createInbox',
  roles: admins,
  query: none,
  body: Wishes.extend({ address }),
  handle: async ({ spool, actor, body }) => ({ body: await createInbox(spool, actor, given(body)) }),
})

export const inboxChange = defineAppRoute({
  method: 'PATCH',
  path: '/settings/inboxes/{id}',
  operationId: 'changeInbox',
  roles: admins,
  query: none,
  body: Wishes,
  handle: async ({ spool, actor, path, body }) => ({
    body: await reviseInbox(spool, actor, path['id']!, given(body)),
  }),
})

/** It leaves every view; its mail stays, and is there again when the address is added again. */
export const inboxRemove = defineAppRoute({
  method: 'DELETE',
  path: '/settings/inboxes/{id}',
  operationId: 'removeInbox',
  roles: admins,
  query: none,
  body: null,
  async handle({ spool, actor, path }) {
    await getInboxSettings(spool, path['id']!)
    await removeInbox(spool, path['id']!, actor)
    return { body: { removed: path['id'] } }
  },
})

export const inboxSync = defineAppRoute({
  method: 'POST',
  path: '/settings/inboxes/{id}/sync',
  operationId: 'syncInbox',
  roles: admins,
  query: none,
  body: none,
  async handle({ spool, actor, path }) {
    await getInboxSettings(spool, path['id']!)
    await askForSync(spool, path['id']!, actor)
    return { body: { started: true } }
  },
})
