import { enterClient, listClients, removeClient } from '../../../core/grants/clients.ts'
import { giveConsent, viewConsent } from '../../../core/grants/consent.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

export const consentRoutes = [
  defineAppRoute('getConsent', everyone, async ({ spool, actor, query }) => ({
    body: await viewConsent(spool, actor, query.request),
  })),

  defineAppRoute('giveConsent', everyone, async ({ spool, actor, body }) => ({
    body: await giveConsent(spool, actor, body),
  })),

  defineAppRoute('listClients', admins, async ({ spool, actor }) => ({
    body: { data: await listClients(spool, actor) },
  })),

  defineAppRoute('enterClient', admins, async ({ spool, actor, body }) => ({
    body: await enterClient(spool, actor, body),
  })),

  defineAppRoute('removeClient', admins, async ({ spool, actor, path }) => {
    await removeClient(spool, actor, path.id)
    return { body: { removed: path.id } }
  }),
]
