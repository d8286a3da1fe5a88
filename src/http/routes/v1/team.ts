import { z } from 'zod'
import { getInbox, getPerson, listInboxesOf, listPeopleOf } from '../../../core/people/directory.ts'
import { Person } from '../../../model/access.ts'
import { InboxReference } from '../../../model/thread.ts'
import { cursor, limit, pageOf } from '../../contract/paging.ts'
import { defineRoute, json, list } from '../../route.ts'

export const inboxList = defineRoute({
  path: '/inboxes',
  scope: 'threads:read',
  operationId: 'listInboxes',
  tag: 'Team',
  summary: 'List inboxes',
  description: 'The inboxes in your view, in the order in which they were added.',
  query: z.strictObject({ limit, cursor }),
  answer: pageOf(InboxReference).meta({ id: 'InboxList' }),
  taggedBy: 'content',
  async handle(call) {
    const { data, nextCursor } = listInboxesOf(call.spool, call.caller, call.query)
    return list(call, data, nextCursor)
  },
})

export const inboxGet = defineRoute({
  path: '/inboxes/{id}',
  scope: 'threads:read',
  operationId: 'getInbox',
  tag: 'Team',
  summary: 'Get an inbox',
  description: 'One inbox in your view.',
  parameters: { id: "The inbox's id." },
  answer: InboxReference,
  taggedBy: 'content',
  handle: async ({ caller, path }) => json(getInbox(caller, path['id']!)),
})

export const userList = defineRoute({
  path: '/users',
  scope: 'threads:read',
  operationId: 'listUsers',
  tag: 'Team',
  summary: 'List people',
  description:
    'You and the people who share an inbox with your view, in the order in which they joined. Somebody who was removed stays, with `active: false`.',
  query: z.strictObject({ limit, cursor }),
  answer: pageOf(Person).meta({ id: 'UserList' }),
  taggedBy: 'content',
  async handle(call) {
    const { data, nextCursor } = await listPeopleOf(call.spool, call.caller, call.query)
    return list(call, data, nextCursor)
  },
})

export const userGet = defineRoute({
  path: '/users/{id}',
  scope: 'threads:read',
  operationId: 'getUser',
  tag: 'Team',
  summary: 'Get a person',
  description: 'You or somebody who shares an inbox with your view.',
  parameters: { id: "The person's id." },
  answer: Person,
  taggedBy: 'content',
  handle: async ({ spool, caller, path }) => json(await getPerson(spool, caller, path['id']!)),
})
