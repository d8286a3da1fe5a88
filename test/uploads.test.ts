import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Uploads } from '../src/http/uploads.ts'
import { ByteBudget } from '../src/model/byte-budget.ts'

test("nobody's uploads take more than half of what arriving mail and all files may hold", async () => {
  const budget = new ByteBudget(1_000)
  const uploads = new Uploads(budget)
  const upload = async (person: string, bytes: number): Promise<EventEmitter> => {
    const request = { headers: {} } as FastifyRequest
    const raw = new EventEmitter()
    uploads.expect(request, { raw } as unknown as FastifyReply, { most: 500, person })
    await uploads.read(request, Readable.from([Buffer.alloc(bytes)]) as unknown as IncomingMessage)
    return raw
  }
  const first = await upload('mia', 400)
  await assert.rejects(upload('mia', 200), { code: 'not_ready' })
  const second = await upload('mia', 100)
  const other = await upload('ada', 400)
  first.emit('close')
  const third = await upload('mia', 400)
  for (const answered of [second, other, third]) answered.emit('close')
  using whole = budget.open()
  assert.ok(whole.take(1_000), 'everything is given back')
})
