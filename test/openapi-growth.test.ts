import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { eventTypes } from '../src/model/events.ts'
import { describeApi } from '../src/http/openapi.ts'

type Json = Record<string, unknown>

const document = describeApi('0.0.0') as {
  paths: Record<
    string,
    { get: { parameters: { name: string; style?: string; explode?: boolean; schema: Json }[] } }
  >
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>
  components: { schemas: Record<string, Json> }
}
const { schemas } = document.components

/** Takes the document as it stands: what it allows is allowed. */
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', true)
ajv.addFormat('binary', true)
ajv.addSchema(document, 'api')

function accepts(name: string, value: unknown): boolean {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`)
  assert.ok(validate, name)
  return validate(value) as boolean
}

/** Every schema within, with the way to it. */
function walk(value: unknown, at: string, look: (schema: Json, at: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) look(value as Json, at)
  for (const [key, inner] of Object.entries(value))
    if (!['examples', 'not', 'example'].includes(key)) walk(inner, `${at}/${key}`, look)
}

test('in answers no list of words is closed, every union has a fallback, and every property is described', () => {
  const unions: string[] = []
  walk(schemas, '', (schema, at) => {
    assert.ok(!('enum' in schema), `${at} is closed`)
    if ('oneOf' in schema) {
      assert.ok(at.startsWith('/Known'), `${at} has no fallback`)
      assert.ok('discriminator' in schema, `${at} has no discriminator`)
      unions.push(at)
    }
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>))
      assert.ok('description' in property || '$ref' in property, `${at}.${name} has no description`)
  })
  assert.deepEqual(unions, ['/KnownExportRow', '/KnownHistoryEntry'])
})

test('the document accepts an event kind, a history entry, a status and a row that do not exist yet', () => {
  const [event] = schemas['Event']!['examples'] as [Json]
  assert.ok(accepts('Event', event))
  assert.ok(accepts('Event', { ...event, type: 'thread.celebrated' }))
  const entry = { type: 'celebrated', id: 'his_1', timestamp: '2026-11-14T09:41:02.118Z', cake: { size: 3 } }
  assert.ok(accepts('HistoryEntry', entry))
  assert.ok(accepts('ExportRow', { type: 'cake', size: 3 }))
  assert.ok(accepts('ExportRow', { type: 'entry', threadId: 'thr_1', entry }))
  assert.ok(accepts('Status', 'celebrating'))
  // What it knows it still knows exactly.
  assert.ok(!accepts('HistoryEntry', { ...entry, type: 'assigned' }))
  assert.ok(!accepts('HistoryEntry', { type: 'celebrated' }))
  assert.ok(!accepts('ExportRow', { type: 'end' }))
})

test('in requests values are closed; lists are one parameter with commas; unread is a boolean or 0 and 1', () => {
  const parametersOf = (path: string) =>
    new Map(document.paths[path]!.get.parameters.map((each) => [each.name, each]))
  for (const [path, name] of [
    ['/threads', 'status'],
    ['/events', 'type'],
    ['/events', 'inbox'],
  ] as const) {
    const { style, explode, schema } = parametersOf(path).get(name)!
    assert.deepEqual([style, explode, schema['type']], ['form', false, 'array'], name)
    assert.ok('enum' in (schema['items'] as Json) || 'pattern' in (schema['items'] as Json))
  }
  const unread = ajv.compile(parametersOf('/threads').get('unread')!.schema)
  assert.deepEqual(
    [true, false, 0, 1, 2, 'yes'].map((value) => unread(value)),
    [true, true, true, true, false, false],
  )
})

test('every kind of event is a webhook of the document, with the payload that is sent', () => {
  assert.deepEqual(Object.keys(document.webhooks), [...eventTypes])
  const golden = resolve(import.meta.dirname, 'golden/webhook-payloads.json')
  const payloads = JSON.parse(readFileSync(golden, 'utf8')) as { type: string; data: Json }[]
  for (const payload of payloads) {
    assert.ok(accepts('WebhookPayload', payload), payload.type)
    const example = document.webhooks[payload.type]!.post.requestBody.content['application/json']!
      .example as typeof payload
    assert.ok(accepts('WebhookPayload', example), payload.type)
    assert.deepEqual(Object.keys(example.data).sort(), Object.keys(payload.data).sort(), payload.type)
  }
})
