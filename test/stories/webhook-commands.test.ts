import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDeliveries } from '../../src/core/webhooks/deliveries.ts'
import { system } from '../../src/model/access.ts'
import { runCommands, type Ran } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { Receiver, waitFor } from '../support/receiver.ts'
import { startSpool } from '../support/spool.ts'

const allow = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }

interface Listed {
  id: string
  state: string
  owner: string
  events: string[] | null
  inboxes: string[] | null
  disabledReason: string | null
  behind: number
  waiting: number
}

interface Delivered {
  seq: number
  eventId: string
  type: string
  state: string
  status: number | null
  milliseconds: number
  answer: string
  attempts: number
}

for (const database of databases) {
  test(`${database}: the commands, beside a running server`, async () => {
    await using spool = await startSpool(database, allow)
    await using receiver = await Receiver.start((_, response) => void response.writeHead(200).end('Thanks'))
    const env = { ...spool.database.env, ...allow }
    const webhook = (...lines: string[][]): Promise<Ran[]> =>
      runCommands(lines.map((words) => ({ words: ['webhook', ...words], env })))
    const answers = async (...lines: string[][]): Promise<unknown[]> => {
      const ran = await webhook(...lines.map((words) => [...words, '--json']))
      for (const { code, stderr } of ran) assert.equal(code, 0, stderr)
      return ran.map((each) => each.json<unknown>())
    }

    const by = ['--by', 'ada@shop.example']
    const kinds = ['--event', 'message.received', '--event', 'note.created']
    const inbox = ['--inbox', 'support@shop.example']
    const [added, list] = await answers(['add', receiver.url, ...by, ...kinds, ...inbox], ['list', ...by])
    const { id, secret, ...rest } = added as Listed & { secret: string }
    assert.match(id, /^whk_/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    receiver.secrets.push(secret)
    assert.deepEqual(list, [{ id, ...rest, behind: 0, waiting: 0, replaying: false, failingSince: null }])
    assert.deepEqual([rest.events, rest.inboxes], [kinds.filter((word) => word.includes('.')), [inbox[1]]])
    assert.equal(JSON.stringify(list).includes('whsec'), false, 'the secret was shown once')

    const [tested] = await answers(['test', id])
    const { delivery } = tested as { delivery: Delivered }
    assert.deepEqual([delivery.state, delivery.status, delivery.answer], ['delivered', 200, 'Thanks'])
    assert.equal(receiver.arrivals[0]!.body.type, 'webhook.test')
    assert.equal(receiver.arrivals[0]!.body.data.webhookId, id)

    await spool.receive({})
    const seq = String((await receiver.until(2))[1]!.body.data.seq)
    const page = { state: null, before: null, limit: 10 }
    const isLogged = async () => (await listDeliveries(spool.spool, system, id, page)).length === 2
    await waitFor(isLogged, 'the log of deliveries')
    const [log, failed, , rotated] = await answers(
      ['deliveries', id],
      ['deliveries', id, '--state', 'failed'],
      ['retry', id, seq],
      ['rotate', id],
    )
    assert.deepEqual(
      (log as Delivered[]).map(({ type, state }) => [type, state]),
      [
        ['message.received', 'delivered'],
        ['webhook.test', 'delivered'],
      ],
    )
    assert.deepEqual(failed, [])
    await receiver.until(3)
    receiver.secrets.push((rotated as { secret: string }).secret)

    await answers(['test', id], ['disable', id])
    await spool.receive({})
    const count = receiver.arrivals.length
    const [refused, words, ...others] = await webhook(
      ['test', id],
      ['list'],
      ['disable', id],
      ['enable', id],
      ['replay', id, '--after', seq],
    )
    assert.deepEqual([refused!.code, refused!.stdout], [1, ''])
    assert.match(refused!.stderr, /is disabled\. Enable it first/)
    assert.match(words!.stdout, /disabled at 20\d\d-.*: disabled by a person/)
    for (const { code, stderr } of others) assert.equal(code, 0, stderr)
    await receiver.until(count + 2)
    assert.deepEqual(receiver.types().slice(count), ['webhook.test', 'message.received'])

    const [removed, gone] = await webhook(['remove', id], ['deliveries', id])
    assert.match(removed!.stdout, /Removed whk_/)
    assert.deepEqual([gone!.code, gone!.stderr], [1, `There is no webhook ${id}; check the id.\n`])
  })
}

test('a test that does not arrive is exit code 1, with the whole sentence and whose variable it is', async () => {
  // Added by somebody whose command has the variable, while the server was started without.
  await using spool = await startSpool('sqlite')
  const env = { ...spool.database.env, ...allow }
  const add = ['webhook', 'add', 'http://127.0.0.1:1/', '--by', 'ada@shop.example', '--json']
  const [added] = await runCommands([{ words: add, env }])
  const { id } = added!.json<{ id: string }>()
  const [tested, listed] = await runCommands([
    { words: ['webhook', 'test', id], env },
    { words: ['webhook', 'list'], env },
  ])
  assert.equal(tested!.code, 1)
  assert.match(tested!.stderr, /^The test was not delivered: .* start it with that variable too\.\n$/)
  assert.match(
    tested!.stdout,
    / 1 attempt .*SPOOL_WEBHOOK_ALLOW can name a network of your own\. It is the server that delivers: start it with that variable too\.\n$/,
  )
  assert.match(listed!.stdout, /^ID +STATE +OWNER +ADDRESS/)
})

test('a test that its receiver refuses is told on standard error too, beside the one JSON value', async () => {
  await using spool = await startSpool('sqlite', allow)
  await using receiver = await Receiver.start((_, response) => void response.writeHead(500).end('Oh no'))
  const env = { ...spool.database.env, ...allow }
  const add = ['webhook', 'add', receiver.url, '--by', 'ada@shop.example', '--json']
  const [added] = await runCommands([{ words: add, env }])
  const [ran] = await runCommands([
    { words: ['webhook', 'test', added!.json<{ id: string }>().id, '--json'], env },
  ])
  assert.deepEqual([ran!.code, ran!.stderr], [1, 'The test was not delivered: its receiver answered 500.\n'])
  assert.equal(ran!.json<{ delivery: Delivered }>().delivery.answer, 'Oh no')
})

test('nobody there to deliver a test is a failure too', async () => {
  await using database = await freshDatabase('sqlite')
  const env = { ...database.env, ...allow }
  const person = ['user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin']
  const add = ['webhook', 'add', 'http://127.0.0.1:1/', '--by', 'ada@shop.example', '--json']
  const [, added] = await runCommands([
    { words: person, env },
    { words: add, env },
  ])
  const words = ['webhook', 'test', added!.json<{ id: string }>().id, '--wait', '0']
  const [ran] = await runCommands([{ words, env }])
  assert.equal(ran!.code, 1)
  assert.equal(ran!.stdout, '')
  assert.match(ran!.stderr, /^Event \d+ is waiting for delivery; check that a server is running\.\n$/)
})

test('wrong usage is a 2, and a refused address a 1 with a sentence', async () => {
  await using spool = await startSpool('sqlite')
  const { env } = spool.database
  const by = ['--by', 'ada@shop.example']
  const cases: [words: string[], code: number, says: RegExp][] = [
    [
      ['add', 'https://127.0.0.1/', ...by],
      1,
      /public: 127\.0\.0\.1 is not a public address\. SPOOL_WEBHOOK_ALLOW/,
    ],
    [['add', 'http://93.184.215.14/', ...by], 1, /it is not https/],
    [['add', 'https://a:b@93.184.215.14/', ...by], 1, /contains a user name or password/],
    [['add', 'https://localhost/', ...by], 1, /localhost is this machine/],
    [['add', 'https://93.184.215.14/', '--by', 'nobody@shop.example'], 1, /no user nobody@shop.example/],
    [
      ['add', 'https://93.184.215.14/', ...by, '--inbox', 'x@shop.example'],
      1,
      /has no inbox x@shop\.example/,
    ],
    [['add', 'https://93.184.215.14/'], 2, /--by/],
    [
      ['add', 'https://93.184.215.14/', ...by, '--event', 'mail.came'],
      2,
      /It must be one of thread\.created/,
    ],
    [['replay', 'whk_1'], 2, /either --after SEQ or --since TIME/],
    [['replay', 'whk_1', '--since', 'yesterday'], 2, /It must be a time such as/],
    [['retry', 'whk_1'], 2, /missing required argument/],
    [['enable', 'whk_none'], 1, /There is no webhook whk_none/],
  ]
  const ran = await runCommands(cases.map(([words]) => ({ words: ['webhook', ...words], env })))
  for (const [index, [words, code, says]] of cases.entries()) {
    assert.equal(ran[index]!.code, code, words.join(' ') + ran[index]!.stderr)
    assert.match(ran[index]!.stderr, says)
    assert.equal(ran[index]!.stdout, '')
  }
  const [bad] = await runCommands([
    { words: ['webhook', 'list'], env: { ...env, SPOOL_WEBHOOK_ALLOW: 'intranet' } },
  ])
  assert.deepEqual(
    [bad!.code, bad!.stderr],
    [
      1,
      'SPOOL_WEBHOOK_ALLOW must be a comma list of addresses and networks, such as 10.1.0.0/16; it is "intranet".\n',
    ],
  )
})
