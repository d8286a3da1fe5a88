import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import type { WebhookKind, WebhookPayload } from '@spool-inbox/client/webhooks'
import { writePayload } from '../src/core/webhooks/view.ts'
import { eventTypes, type EventType } from '../src/model/events.ts'
import type { LoggedEvent } from '../src/store/log/log.ts'

const golden = resolve(import.meta.dirname, 'golden/webhook-payloads.json')

const [threadId, messageId] = ['thr_1k9v2c4xq7m3n5p8r0s', 'msg_1k9v2c4xs2b4d6f8h0k']
const [noteId, draftId] = ['note_1k9v2c4y01c3e5g7j9m', 'drf_1k9v2c4y52d4f6h8k0n']
const webhookId = 'whk_1k9v2c4w93q5s7v9x1z'
const tom = { type: 'person', id: 'usr_1k3c7d9h2j4m6p8r0t2', name: 'Tom Keller' } as const
const agent = { type: 'agent', id: 'tok_1k5d8e0f3g6h9j2k5m8', name: 'Reply writer' } as const
const spool = { type: 'system', id: null, name: 'Spool' } as const

type DataOf<Type extends WebhookKind, Each = WebhookPayload> = Each extends {
  type: infer Kind
  data: infer Data
}
  ? Type extends Kind
    ? Omit<Data, 'eventId' | 'seq' | 'previousSeq' | 'inboxId'>
    : never
  : never

/** What the compiler takes for complete is what receivers are told that it is. */
const samples: { [Type in EventType]: DataOf<Type> } = {
  'thread.created': { threadId, actor: spool },
  'thread.assigned': { threadId, actor: tom, changes: { assignee: { from: null, to: tom.id } } },
  'thread.unassigned': { threadId, actor: tom, changes: { assignee: { from: tom.id, to: null } } },
  'thread.status_changed': { threadId, actor: spool, changes: { status: { from: 'waiting', to: 'open' } } },
  'thread.merged': {
    threadId,
    actor: tom,
    changes: { threadId: { from: 'thr_1k9v2c4zz9x8w7v6t5s', to: threadId } },
  },
  'message.received': { threadId, messageId, actor: spool },
  'message.sent': { threadId, messageId, actor: tom },
  'message.failed': { threadId, draftId, actor: tom },
  'message.unknown': { threadId, draftId, actor: tom },
  'note.created': { threadId, noteId, actor: tom },
  'note.updated': { threadId, noteId, actor: tom },
  'draft.proposed': { threadId, draftId, actor: agent },
  'draft.revised': { threadId, draftId, actor: agent },
  'draft.stale': { threadId, draftId, actor: spool },
  'draft.discarded': { threadId, draftId, actor: tom },
  'draft.withdrawn': { threadId, draftId, actor: agent },
  'draft.sent': {
    threadId,
    draftId,
    messageId,
    actor: tom,
    outcome: { editRatio: 0.12, recipientsChanged: false },
  },
  'webhook.disabled': {
    threadId: null,
    webhookId,
    actor: spool,
    changes: { state: { from: 'enabled', to: 'disabled' }, disabledReason: { from: null, to: 'gone' } },
  },
  'webhook.test': { threadId: null, webhookId, actor: tom },
}

test('the payload of every kind is what receivers rely on', () => {
  const payloads = eventTypes.map((type, index) => {
    const event: LoggedEvent = {
      seq: 4182 + index,
      id: 'evt_1k9v2c4z0a1b2c3d4e5',
      type,
      inbox: 1,
      inbox_id: 'inb_1k3c7d4q5r6s7t8v9w0',
      user_id: null,
      timestamp: Date.parse('2026-11-14T09:41:02.118Z'),
      quiet: 0,
      data: JSON.stringify(samples[type]),
    }
    return JSON.parse(writePayload(event, index === 0 ? null : 4181 + index)) as WebhookPayload
  })
  const text = `${JSON.stringify(payloads, null, 2)}\n`
  if (process.env['SPOOL_WRITE_GOLDENS'] === '1') writeFileSync(golden, text)
  assert.equal(text, readFileSync(golden, 'utf8'))
})
