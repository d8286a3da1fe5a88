import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { addUser, changeUser, removeUser } from '../../src/core/people/people.ts'
import { createToken, listTokens, revokeToken, type NewToken } from '../../src/core/tokens/tokens.ts'
import { compileQuery, textQuery, type Query } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const day = 86_400_000

function wanted(desk: Desk, change: Partial<NewToken> = {}): NewToken {
  return {
    email: desk.user.email,
    name: 'Robot',
    scopes: ['threads:read'],
    inboxes: [],
    lifetime: day,
    ...change,
  }
}

/** Of the right form, and nobody's. */
function unknownToken(): string {
  const text = `spool_pat_${'a'.repeat(43)}`
  let tail = ''
  for (let rest = crc32(text); tail.length < 6; rest = Math.floor(rest / 62)) tail = digits[rest % 62] + tail
  return text + tail
}

for (const database of databases) {
  const shared = shareSpool(database)
  const status = async (spool: TestSpool, token: string) => (await spool.get('/api/v1/me', { token })).status

  test(`${database}: a token is spool_pat_, 32 random bytes in base62 and a CRC32 tail, so a typo is known offline`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const { token } = desk
    assert.match(token, /^spool_pat_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
    let check = 0
    for (const digit of token.slice(-6)) check = check * 62 + digits.indexOf(digit)
    assert.equal(check, crc32(token.slice(0, -6)))
    const asked: string[] = []
    const { db } = spool.spool
    const { all, first } = db
    const note = (query: Query<unknown>): void => void asked.push(compileQuery(db.dialect, query).sql)
    db.all = (query) => (note(query), all.call(db, query) as never)
    db.first = (query) => (note(query), first.call(db, query) as never)
    const isLookedUp = (): boolean => asked.some((sql) => /\btokens\b.*\bhash\b/s.test(sql))
    for (let at = 10; at < token.length; at += 3) {
      const typo = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
      assert.equal(await status(spool, typo), 401)
    }
    assert.equal(isLookedUp(), false, 'a typo is not looked up')
    assert.equal(await status(spool, unknownToken()), 401)
    assert.equal(isLookedUp(), true, 'one that could be a token is')
    Object.assign(db, { all, first })
  })

  test(`${database}: the store keeps its hash and nobody's log its text`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    await desk.receive({ subject: 'Secretsubject' })
    await desk.get('/api/v1/threads?q=secretsubject')
    await spool.get(`/api/v1/threads?token=${desk.token}`, { token: null })
    const rows = await spool.spool.db.all(textQuery('SELECT * FROM tokens', []))
    const body = desk.token.slice('spool_pat_'.length)
    const written = rows
      .flatMap((row) => Object.values(row as object) as unknown[])
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    assert.ok(written.includes(desk.user.id), 'the rows were read')
    assert.equal(written.join('\n').includes(body), false)
    const log = spool.log.join('')
    assert.match(log, /"route":"\/api\/v1\/threads"/)
    for (const word of [body, 'secretsubject', 'Secretsubject', 'brandt.example'])
      assert.equal(log.includes(word), false, `the log holds ${word}`)
  })

  test(`${database}: a token expires at its millisecond`, async () => {
    await using spool = await startSpool(database)
    const now = Date.now()
    spool.spool.now = () => now
    const made = await createToken(spool.spool, {
      email: spool.ada.email,
      name: 'Short',
      scopes: ['threads:read'],
      inboxes: [],
      lifetime: 5000,
    })
    assert.equal(made.expiresAt, now + 5000)
    for (const [at, expected] of [
      [0, 200],
      [4999, 200],
      [5000, 401],
      [5001, 401],
      [4999, 200],
    ] as const) {
      spool.spool.now = () => now + at
      assert.equal(await status(spool, made.token), expected, String(at))
    }
  })

  test(`${database}: a revoked token is refused at once, and revoking once is enough`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const made = await createToken(spool.spool, wanted(desk))
    // What is asked for again is remembered.
    for (let time = 0; time < 3; time++) assert.equal(await status(spool, made.token), 200)
    await revokeToken(spool.spool, made.id)
    assert.equal(await status(spool, made.token), 401)
    assert.equal(await status(spool, desk.token), 200, 'others go on')
    await assert.rejects(revokeToken(spool.spool, made.id), /no token/)
    const left = await listTokens(spool.spool, desk.user.email)
    assert.equal(
      left.some(({ id }) => id === made.id),
      false,
    )
  })

  test(`${database}: removing a person refuses their tokens at once, also when the person comes back`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    assert.equal(await status(spool, desk.token), 200)
    await removeUser(spool.spool, desk.user.email)
    assert.equal(await status(spool, desk.token), 401)
    const { email, name } = desk.user
    const back = await addUser(spool.spool, {
      email,
      name,
      role: 'member',
      inboxes: [desk.inbox.id],
      password: null,
    })
    assert.equal(back.id, desk.user.id)
    assert.equal(await status(spool, desk.token), 401, 'an old token is not alive again')
    assert.equal(await status(spool, await spool.makeToken(back)), 200)
  })

  test(`${database}: a viewer's tokens only read; who becomes a viewer loses drafts:propose at once`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const scopes = async () => (await desk.get('/api/v1/me')).json<{ scopes: string[] }>().scopes
    assert.deepEqual(await scopes(), [
      'threads:read',
      'notes:read',
      'events:read',
      'drafts:propose',
      'sources:read',
    ])
    await changeUser(spool.spool, desk.user.email, { role: 'viewer' })
    assert.deepEqual(await scopes(), ['threads:read', 'notes:read', 'events:read', 'sources:read'])
    await assert.rejects(createToken(spool.spool, wanted(desk, { scopes: ['drafts:propose'] })), /viewer/)
    await changeUser(spool.spool, desk.user.email, { role: 'member' })
    assert.ok((await scopes()).includes('drafts:propose'))
  })

  test(`${database}: a token needs a name and a scope, and lives at most 365 days, an admin’s also for ever`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const make = (change: Partial<NewToken>) => createToken(spool.spool, wanted(desk, change))
    await assert.rejects(make({ scopes: [] }), /at least one scope/)
    await assert.rejects(make({ name: ' ' }), /name/)
    await assert.rejects(make({ lifetime: 365 * day + 1 }), /365 days/)
    await assert.rejects(make({ lifetime: 999 }), /1 second/)
    await assert.rejects(make({ email: 'nobody@nowhere.example' }), /no user/)
    await assert.rejects(make({ inboxes: ['nobody@nowhere.example'] }), /has no inbox/)
    const year = await make({ lifetime: 365 * day })
    assert.ok(Math.abs(year.expiresAt! - Date.now() - 365 * day) < 60_000)
    await assert.rejects(make({ lifetime: null }), {
      code: 'forbidden',
      message: /^Only an admin can make tokens that/,
    })
    await changeUser(spool.spool, desk.user.email, { role: 'admin' })
    assert.equal((await make({ lifetime: null })).expiresAt, null)
    const narrow = await make({ inboxes: [desk.inbox.address.toUpperCase()] })
    assert.deepEqual(narrow.inboxes, [desk.inbox.address])
  })

  test(`${database}: a person has at most 50 tokens; those that were revoked or have expired do not count`, async () => {
    await using spool = await startSpool(database)
    const make = (lifetime: number | null = null) =>
      createToken(spool.spool, {
        email: spool.ada.email,
        name: 'Many',
        scopes: ['threads:read'],
        inboxes: [],
        lifetime,
      })
    const now = Date.now()
    spool.spool.now = () => now
    const short = await make(1000)
    while ((await listTokens(spool.spool, spool.ada.email)).length < 50) await make()
    await assert.rejects(make(), /has 50 tokens/)
    spool.spool.now = () => now + 1000
    const last = await make()
    await assert.rejects(make(), /has 50 tokens/)
    await revokeToken(spool.spool, last.id)
    assert.equal(await status(spool, (await make()).token), 200)
    assert.equal(await status(spool, short.token), 401)
  })

  test(`${database}: a token's last use is written down`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const lastUse = async () => (await listTokens(spool.spool, desk.user.email))[0]!.lastUsedAt
    assert.equal(await lastUse(), null)
    const before = Date.now()
    await desk.get('/api/v1/me')
    assert.ok((await until('it is written down', lastUse)) >= before)
  })
}
