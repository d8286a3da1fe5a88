import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import { databases } from '../support/databases.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { askWeb, openSession } from '../support/web-client.ts'

type Sink = Awaited<ReturnType<typeof startSmtpSink>>

function mailing(sink: Sink, from = 'spool@shop.example'): Record<string, string> {
  return { SPOOL_NOTICE_SMTP: `smtp://127.0.0.1:${sink.port}?tls=none`, SPOOL_NOTICE_FROM: from }
}

/** The link in the newest mail to somebody. */
async function linkFor(sink: Sink, to: string, count = 1): Promise<{ path: string; token: string }> {
  const mails = await until(`mail to ${to}`, async () => {
    const found = sink.mails.filter((mail) => mail.to.includes(to))
    return found.length >= count && found
  })
  const { text } = await parseMail(Buffer.from(mails.at(-1)!.source))
  const [, path, token] = /\/(\w+)#(\S+)/.exec(text)!
  return { path: path!, token: token! }
}

const ask = (spool: TestSpool, email: string) => askWeb(spool.url, 'POST', '/resets/ask', { email })

for (const database of databases) {
  test(`${database}: an invitation and a reset link are mailed to the person they are for`, async () => {
    await using sink = await startSmtpSink()
    await using spool = await startSpool(database, mailing(sink))
    const admin = await openSession(spool.spool, spool.url, spool.ada)
    const made = await admin.do<{ url: string; canMail: boolean }>('POST', '/invitations', {
      email: 'bo@team.example',
      name: 'Bo',
    })
    assert.equal(made.canMail, true)
    const token = new URL(made.url).hash.slice(1)
    const mailed = await admin.do('POST', '/settings/links/mail', { kind: 'invitation', token })
    assert.deepEqual(mailed, { mailedTo: 'bo@team.example' })
    const { path, token: sent } = await linkFor(sink, 'bo@team.example')
    assert.deepEqual([path, sent], ['invitations', token])
    assert.match(sink.mails[0]!.source, /^Auto-Submitted: auto-generated\r$/im)
    const joined = { token, name: null, password: 'a long enough password' }
    assert.equal((await askWeb(spool.url, 'POST', '/invitations/accept', joined)).status, 200)
    assert.equal(
      (await admin.ask('POST', '/settings/links/mail', { kind: 'invitation', token })).status,
      404,
      'a used link is not mailed',
    )

    const mia = await spool.makeUser('mia@team.example', 'member', [spool.inbox])
    const reset = await admin.do<{ url: string }>('POST', `/settings/people/${mia.id}/reset`, {})
    const secret = new URL(reset.url).hash.slice(1)
    await admin.do('POST', '/settings/links/mail', { kind: 'reset', token: secret })
    assert.deepEqual(await linkFor(sink, mia.email), { path: 'reset', token: secret })
    const member = await openSession(spool.spool, spool.url, mia)
    const refused = await member.ask('POST', '/settings/links/mail', { kind: 'reset', token: secret })
    assert.equal(refused.status, 403)
  })

  test(`${database}: somebody who forgot the password gets a link that works once and for an hour`, async () => {
    await using sink = await startSmtpSink()
    await using spool = await startSpool(database, mailing(sink))
    const mia = await spool.makeUser('mia@team.example', 'member', [spool.inbox])
    const admin = await openSession(spool.spool, spool.url, spool.ada)
    const made = await admin.do<{ url: string }>('POST', `/settings/people/${mia.id}/reset`, {})

    const known = await ask(spool, ' Mia@TEAM.example')
    const unknown = await ask(spool, 'nobody@team.example')
    assert.deepEqual([known.status, known.text], [200, '{"asked":true}'])
    assert.deepEqual([unknown.status, unknown.text], [known.status, known.text])
    const { path, token } = await linkFor(sink, mia.email)
    assert.equal(path, 'reset')

    // A stranger who asks again and again fills no mailbox, and neither link stops working.
    for (let count = 2; count <= 3; count++) {
      await ask(spool, mia.email)
      await linkFor(sink, mia.email, count)
    }
    await ask(spool, mia.email)
    const look = (secret: string) => askWeb(spool.url, 'POST', '/resets/look', { token: secret })
    assert.equal((await look(new URL(made.url).hash.slice(1))).status, 200)
    assert.equal((await look(token)).status, 200)
    const now = Date.now()
    spool.spool.now = () => now + 3_601_000
    assert.equal((await look(token)).status, 404, 'an hour later')
    spool.spool.now = Date.now

    const fresh = { token, password: 'a new long password' }
    assert.equal((await askWeb(spool.url, 'POST', '/resets/accept', fresh)).status, 200)
    assert.equal((await askWeb(spool.url, 'POST', '/resets/accept', fresh)).status, 404, 'used')
    const signIn = { email: mia.email, password: fresh.password }
    assert.equal((await askWeb(spool.url, 'POST', '/session', signIn)).status, 200)
    assert.deepEqual(
      sink.mails.map(({ to }) => to),
      Array.from({ length: 3 }, () => [mia.email]),
    )
  })

  test(`${database}: no link is mailed to an inbox, or by the server of one`, async () => {
    await using sink = await startSmtpSink()
    await using spool = await startSpool(database, mailing(sink))
    const shared = await spool.makeUser(spool.inbox.address, 'member', [spool.inbox])
    await ask(spool, shared.email)
    const admin = await openSession(spool.spool, spool.url, spool.ada)
    const made = await admin.do<{ url: string }>('POST', `/settings/people/${shared.id}/reset`, {})
    const token = new URL(made.url).hash.slice(1)
    assert.equal((await admin.ask('POST', '/settings/links/mail', { kind: 'reset', token })).status, 409)

    // Once the sender is an inbox, its server may file a copy there.
    const entry = async () => (await askWeb(spool.url, 'GET', '/entry')).json()
    assert.deepEqual(await entry(), { session: null, notSetUp: false, resetByMail: true })
    await spool.makeInbox('spool@shop.example')
    assert.deepEqual(await entry(), { session: null, notSetUp: false, resetByMail: false })
    await ask(spool, spool.ada.email)
    assert.equal((await admin.ask('POST', '/settings/links/mail', { kind: 'reset', token })).status, 409)
    assert.equal(sink.mails.length, 0)
  })
}

test('asking for links is limited by address', async () => {
  await using spool = await startSpool('sqlite')
  const statuses = new Set<number>()
  for (let count = 0; count < 201; count++) statuses.add((await ask(spool, `a${count}@b.example`)).status)
  assert.deepEqual([...statuses], [200, 429])
})
