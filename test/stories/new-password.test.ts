import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToken } from '../../src/core/tokens/tokens.ts'
import { addWebhook, listWebhooks } from '../../src/core/webhooks/webhooks.ts'
import { runCommand } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { startNode } from '../support/nodes.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { askWeb, openWeb, password, signInAs, type WebClient } from '../support/web-client.ts'

const another = 'quite another one'
const allowed = { SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }

interface Left {
  tokens: { id: string; name: string }[]
  webhooks: { id: string; url: string }[]
}

/** Somebody with a token and a webhook beside those that are looked at. */
interface Owner {
  desk: Desk
  page: WebClient
  /** Gives out tokens and webhooks in this person's name. */
  token(): Promise<{ id: string; token: string }>
  webhook(): Promise<string>
  works(token: string): Promise<number>
  /** What is left of the webhooks: their states, with why. */
  states(): Promise<Record<string, string | null>>
}

async function openOwner(spool: TestSpool): Promise<Owner> {
  const desk = await openDesk(spool)
  const { email } = desk.user
  return {
    desk,
    page: await signInAs(spool, desk.user),
    token: () =>
      createToken(spool.spool, {
        email,
        name: 'x',
        scopes: ['threads:read'],
        inboxes: [],
        lifetime: 86_400_000,
      }),
    async webhook() {
      const wanted = { url: `${spool.url}/nobody-listens`, email, types: [], inboxes: [] }
      return (await addWebhook(spool.spool, wanted)).webhook.id
    },
    works: async (token) => (await spool.get('/api/v1/threads', { token })).status,
    async states() {
      const webhooks = await listWebhooks(spool.spool, email)
      return Object.fromEntries(webhooks.map(({ id, disabledReason }) => [id, disabledReason]))
    },
  }
}

for (const database of databases) {
  const shared = shareSpool(database, allowed)

  test(`${database}: a new password revokes the tokens and disables the webhooks that are not kept`, async () => {
    const spool = await shared()
    const { desk, page, token, webhook, works, states } = await openOwner(spool)
    const foreign = await openOwner(spool)
    const theirs = { token: await foreign.token(), webhook: await foreign.webhook() }
    const [kept, known] = [await token(), await token()]
    const [keptHook, knownHook] = [await webhook(), await webhook()]
    const listed = await page.do<Left>('GET', '/password/access')
    assert.deepEqual(listed.tokens.map(({ id }) => id).slice(-2), [kept.id, known.id])
    assert.deepEqual(
      listed.webhooks.map(({ id }) => id),
      [keptHook, knownHook],
    )
    // Made after the page was opened, as by somebody who has a session too.
    const [unseen, unseenHook] = [await token(), await webhook()]
    const wanted = { current: password, new: another }
    for (const keep of [undefined, {}, { tokens: [] }, { tokens: 'all', webhooks: [] }])
      assert.equal(
        (await page.ask('POST', '/password', { ...wanted, keep })).status,
        400,
        'it has to be said',
      )
    assert.equal(await works(known.token), 200)

    const keep = { tokens: [kept.id, theirs.token.id], webhooks: [keptHook] }
    const done = await page.do('POST', '/password', { ...wanted, keep })
    // The desk itself has a token.
    assert.deepEqual(done, { changed: true, revoked: { tokens: 3, webhooks: 2 } })
    assert.deepEqual(
      [await works(kept.token), await works(known.token), await works(unseen.token)],
      [200, 401, 401],
    )
    const reason = 'owner_password'
    assert.deepEqual(await states(), { [keptHook]: null, [knownHook]: reason, [unseenHook]: reason })
    const told = await foreign.desk.events('webhook.disabled')
    assert.deepEqual(told, [], 'nobody else is told')
    assert.equal(await foreign.works(theirs.token.token), 200, "nobody else's")
    assert.deepEqual(await foreign.states(), { [theirs.webhook]: null })
    assert.deepEqual(
      (await page.do<Left>('GET', '/password/access')).tokens.map(({ id }) => id),
      [kept.id],
    )
    const reader = await spool.makeToken(desk.user)
    const { data } = (await spool.get('/api/v1/events?limit=100', { token: reader })).json<{
      data: { type: string; data: { webhookId: string; actor: { id: string }; changes: object } }[]
    }>()
    const disabled = data.filter(({ type }) => type === 'webhook.disabled').map((event) => event.data)
    assert.deepEqual(
      disabled.map(({ webhookId, actor }) => [webhookId, actor.id]),
      [
        [knownHook, desk.user.id],
        [unseenHook, desk.user.id],
      ],
    )
    assert.deepEqual((disabled[0]!.changes as Record<string, unknown>)['disabledReason'], {
      from: null,
      to: reason,
    })
  })

  test(`${database}: a new password by an admin's link revokes all tokens and disables all webhooks`, async () => {
    const spool = await shared()
    const { desk, token, webhook, works, states } = await openOwner(spool)
    const [made, hook] = [await token(), await webhook()]
    const admin = await signInAs(spool, spool.ada)
    const { url } = await admin.do<{ url: string }>('POST', `/settings/people/${desk.user.id}/reset`, {})
    assert.equal(await works(made.token), 200, 'the link alone changes nothing')
    const accepted = { token: url.split('#')[1], password: another }
    assert.equal((await askWeb(spool.url, 'POST', '/resets/accept', accepted)).status, 200)
    assert.equal(await works(made.token), 401)
    assert.deepEqual(await states(), { [hook]: 'owner_password' })
  })

  test(`${database}: a new password ends the invitations and links that the person made, and nobody else's`, async () => {
    const spool = await shared()
    const [{ user: robbed }, { user: other }] = [await openDesk(spool, 'admin'), await openDesk(spool)]
    const thief = await signInAs(spool, robbed)
    const admin = await signInAs(spool, spool.ada)
    const make = async (by: WebClient, path: string, wanted: object): Promise<string> =>
      (await by.do<{ url: string }>('POST', path, wanted)).url.split('#')[1]!
    const invite = (by: WebClient, email: string): Promise<string> =>
      make(by, '/invitations', { email, name: 'Eve', role: 'admin' })
    const links = [
      ['/invitations/look', await invite(thief, 'eve@elsewhere.example')],
      ['/resets/look', await make(thief, `/settings/people/${other.id}/reset`, {})],
      ['/invitations/look', await invite(admin, 'new@shop.example')],
    ] as const
    const look = () =>
      Promise.all(
        links.map(async ([path, token]) => (await askWeb(spool.url, 'POST', path, { token })).status),
      )
    assert.deepEqual(await look(), [200, 200, 200])

    const owner = await openWeb(spool.url, robbed.email, password)
    const keep = { tokens: [], webhooks: [] }
    await owner.do('POST', '/password', { current: password, new: another, keep })
    assert.deepEqual(await look(), [404, 404, 200])
  })

  test(`${database}: so does a new password on the command line, unless they are kept`, async () => {
    const spool = await shared()
    const { desk, token, webhook, works, states } = await openOwner(spool)
    const [made, hook] = [await token(), await webhook()]
    const set = (...options: string[]) =>
      runCommand(
        { ...spool.database.env, ...allowed },
        ['user', 'set', desk.user.email, '--password-stdin', ...options],
        `${another}\n`,
      )
    const kept = await set('--keep-tokens')
    assert.equal(kept.code, 0, kept.stderr)
    assert.match(kept.stdout, /Signed out everywhere; their tokens and webhooks stay valid\.$/m)
    assert.equal(await works(made.token), 200)
    const all = await set()
    assert.equal(all.code, 0, all.stderr)
    assert.match(all.stdout, /Signed out everywhere; 2 tokens revoked, 1 webhook disabled\.$/m)
    assert.equal(await works(made.token), 401, 'the very next call is refused')
    assert.deepEqual(await states(), { [hook]: 'owner_password' })
    const json = await set('--json')
    assert.deepEqual((JSON.parse(json.stdout) as { revoked: object }).revoked, { tokens: 0, webhooks: 0 })
    const name = await runCommand(spool.database.env, ['user', 'set', desk.user.email, '--name', 'Kim'])
    assert.doesNotMatch(name.stdout, /Signed out/)
    const idle = await runCommand(spool.database.env, ['user', 'set', desk.user.email, '--keep-tokens'])
    assert.notEqual(idle.code, 0, 'without a password there is nothing to keep them from')
  })

  test(`${database}: at every node what was revoked so is refused from the next request on`, async () => {
    await using spool = await startSpool(database, allowed)
    await using node = await startNode(spool.database, allowed)
    const { page, token } = await openOwner(spool)
    const made = await token()
    assert.equal(await node.ask('/api/v1/threads', made.token), 200)
    const keep = { tokens: [], webhooks: [] }
    await page.do('POST', '/password', { current: password, new: another, keep })
    assert.equal(await node.ask('/api/v1/threads', made.token), 401)
  })
}
