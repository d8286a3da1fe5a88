import { enterClient, listClients, removeClient } from '../../../core/grants/clients.ts'
import { giveConsent, viewConsent } from '../../../core/grants/consent.ts'
import { admins, defineAppRoute, everyone } from '../../app-route.ts'

export const consentGet = defineAppRoute('getConsent', everyone, async ({ spool, actor, query }) => ({
  body: await viewConsent(spool, actor, query.request),
}))

export const consentGive = defineAppRoute('giveConsent', everyone, async ({ spool, actor, body }) => ({
  body: await giveConsent(spool, actor, body),
}))

export const clientList = defineAppRoute('listClients', admins, async ({ spool, actor }) => ({
  body: { data: await listClients(spool, actor) },
}))

export const clientEnter = defineAppRoute('enterClient', admins, async ({ spool, actor, body }) => ({
  body: await enterClient(spool, actor, body),
}))

export const clientRemove = defineAppRoute('removeClient', admins, async ({ spool, actor, path }) => {
  await removeClient(spool, actor, path.id)
  return { body: { removed: path.id } }
})
