import { enterClient, listClients, removeClient } from '../../../core/grants/clients.ts'
import { giveConsent, viewConsent } from '../../../core/grants/consent.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

export const consentRoutes = [
  defineAppRoute('getConsent', everyone, ({ spool, actor, query }) =>
    viewConsent(spool, actor, query.request),
  ),

  defineAppRoute('giveConsent', everyone, ({ spool, actor, body }) => giveConsent(spool, actor, body)),

  defineAppRoute('listClients', admins, async ({ spool, actor }) => ({
    data: await listClients(spool, actor),
  })),

  defineAppRoute('enterClient', admins, ({ spool, actor, body }) => enterClient(spool, actor, body)),

  defineAppRoute('removeClient', admins, async ({ spool, actor, path }) => {
    await removeClient(spool, actor, path.id)
    return { removed: path.id }
  }),
]
