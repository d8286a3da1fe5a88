import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importMail } from '../../src/cli/import-mail.ts'
import { proposeDraft, reviseDraft } from '../../src/core/drafts/drafts.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import type { Draft } from '../../src/model/draft.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import type { Letter } from '../../src/model/mail/letter.ts'
import type { Session } from '../../src/model/session.ts'
import type { InboxSettings } from '../../src/model/settings.ts'
import { agentOf } from '../support/agents.ts'
import { runCommands } from '../support/command.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool, type Desk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import { sendBy, untilStatus } from '../support/outgoing.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import type { TestSpool } from '../support/spool.ts'
import { signInAs, type WebClient } from '../support/web-client.ts'

const at = (...addresses: string[]) => addresses.map((address) => ({ name: null, address }))
const addressesIn = (list: readonly { address: string }[]): string[] => list.map(({ address }) => address)

for (const database of databases) {
  const share = shareSpool(database, { SPOOL_UNDO_SECONDS: '0', SPOOL_LMTP_LISTEN: '127.0.0.1:0' })
  let sink: Promise<SmtpSink> | undefined
  after(async () => (await sink)?.[Symbol.asyncDispose]())

  interface Scene {
    spool: TestSpool
    desk: Desk
    admin: WebClient
    page: WebClient
    /** The inbox's own address and two further ones. */
    own: [string, string, string]
  }

  const open = async (): Promise<Scene> => {
    const spool = await share()
    const desk = await openDesk(spool)
    const admin = await signInAs(spool, spool.ada)
    const name = desk.inbox.address.split('@')[0]!
    const aliases = [`info-${name}@shop.example`, `${name}@old-shop.example`] as const
    const settings = await admin.do<InboxSettings>('PATCH', `/settings/inboxes/${desk.inbox.id}`, {
      aliases: [aliases[0], ` ${aliases[1].toUpperCase()} `, desk.inbox.address],
    })
    assert.deepEqual(settings.aliases, aliases, 'in lower case, and without its own address')
    const page = await signInAs(spool, desk.user)
    return { spool, desk, admin, page, own: [desk.inbox.address, ...aliases] }
  }

  const replyTo = (page: WebClient, threadId: string): Promise<Draft> =>
    page.do('POST', '/drafts', { kind: 'reply', threadId, text: 'Hello' })

  test(`${database}: mail to any address of an inbox is its mail, and is answered from the address written to`, async () => {
    const { spool, desk, page, own } = await open()
    const lmtp = Number(spool.app.lmtp!.split(':').at(-1))
    for (const [index, address] of own.entries()) {
      using client = await SmtpClient.connect(lmtp)
      await client.hello('LHLO')
      const to = `carl@x.example, ${address.replace('@', '+tag@')}`
      const replies = await client.deliver(
        writeMail({ to, subject: `Mail ${index}`, headers: { Cc: own.join(', ') } }),
        [address.toUpperCase()],
      )
      assert.match(replies.at(-1)!, /^250/)
      const thread = (await desk.threads()).find(({ subject }) => subject === `Mail ${index}`)!
      const draft = await replyTo(page, thread.id)
      assert.equal(draft.from, address, 'by default the one that was written to')
      assert.deepEqual(addressesIn(draft.to), ['carla@brandt.example'])
      assert.deepEqual(addressesIn(draft.cc), ['carl@x.example'], 'reply-all leaves all of them out')
      const letter = await page.do<Letter>('GET', `/drafts/${draft.id}/letter`)
      assert.equal(letter.from.address, address)
    }
    assert.equal((await desk.threads()).length, 3)
    for (const address of own) {
      const name = encodeURIComponent(address.toUpperCase())
      assert.equal((await desk.threads(`?inbox=${name}`)).length, 3, 'each address names the inbox')
      const found = await page.do<{ data: unknown[] }>('GET', `/search?q=in:${name}&zone=UTC`)
      assert.equal(found.data.length, 3)
    }
  })

  test(`${database}: an address at a non-ASCII domain is the inbox's own in both of its forms`, async () => {
    const { spool, desk, admin, page } = await open()
    const name = desk.inbox.address.split('@')[0]!
    const aliases = [`${name}@xn--mnchen-3ya.example`, `${name}@köln.example`]
    await admin.do('PATCH', `/settings/inboxes/${desk.inbox.id}`, { aliases })
    const written = [`${name}@xn--mnchen-3ya.example`, `${name}@xn--kln-sna.example`]
    for (const [index, to] of written.entries()) {
      using client = await SmtpClient.connect(Number(spool.app.lmtp!.split(':').at(-1)))
      await client.hello('LHLO')
      const cc = `${name}@münchen.example, ${written.join(', ')}`
      const raw = writeMail({ to, subject: `Mail ${index}`, headers: { Cc: cc } })
      assert.match((await client.deliver(raw, [to])).at(-1)!, /^250/)
      const thread = (await desk.threads()).find(({ subject }) => subject === `Mail ${index}`)!
      const draft = await replyTo(page, thread.id)
      assert.deepEqual([draft.from, addressesIn(draft.cc)], [aliases[index], []])
    }
    async function* mailbox() {
      const raw = Buffer.from(writeMail({ from: written[1]!, to: 'dan@x.example', subject: 'Ours' }))
      yield { raw, seen: true, receivedAt: null, name: 'one' }
    }
    await importMail(spool.spool, desk.inbox, mailbox(), { asRead: true, limits: defaultLimits })
    const ours = (await desk.threads()).find(({ subject }) => subject === 'Ours')!
    assert.equal(((await desk.thread(ours.id)).history[0] as MessageEntry).direction, 'outbound')
  })

  test(`${database}: a person chooses the From among the addresses, and no other; the reply goes out from it and stays in its thread`, async () => {
    const { spool, desk, page, own } = await open()
    sink ??= startSmtpSink()
    await sendBy(spool.spool, desk.inbox, (await sink).port)
    const { threadId } = await desk.receive({ to: own[1], messageId: '<asked@brandt.example>' })
    const draft = await replyTo(page, threadId)
    const refused = await page.ask('PUT', `/drafts/${draft.id}`, {
      revision: 1,
      text: 'Hello',
      from: 'boss@shop.example',
    })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /boss@shop\.example\\?" is not an address of this inbox/)
    const chosen = await page.do('PUT', `/drafts/${draft.id}`, { revision: 1, text: 'Hi', from: own[2] })
    const kept = await page.do('PUT', `/drafts/${draft.id}`, { revision: chosen.revision, text: 'Hi Carla' })
    assert.equal(kept.from, own[2], 'a later edit keeps it')
    await page.send(kept)
    await untilStatus(() => page.do('GET', `/drafts/${draft.id}`), ['sent'])
    const sent = (await sink).mails.find(({ source }) => source.includes('Hi Carla'))!
    assert.equal(sent.from, own[2])
    assert.match(sent.source, new RegExp(`^From: .*<${own[2]}>`, 'm'))
    assert.match(sent.messageId, /@old-shop\.example>$/)
    const answer = await desk.receive({ to: own[0], inReplyTo: sent.messageId, text: 'Thank you' })
    assert.equal(answer.threadId, threadId, 'an answer to any of them joins its thread')
    const ours = await desk.receive(
      { from: own[1], to: 'carla@brandt.example', inReplyTo: sent.messageId },
      { direction: 'outbound', fromSentFolder: true },
    )
    assert.equal(ours.threadId, threadId)
  })

  test(`${database}: an agent's draft leaves out every address of the inbox and cannot choose the From`, async () => {
    const { spool, desk, own } = await open()
    const bot = await agentOf(spool.spool, desk.token)
    const { threadId } = await desk.receive({ to: own[2], headers: { Cc: `${own[0]}, dan@x.example` } })
    const draft = await proposeDraft(spool.spool, bot, { threadId, text: 'Hello' })
    assert.deepEqual([draft.from, addressesIn(draft.cc)], [own[2], ['dan@x.example']])
    await assert.rejects(
      reviseDraft(spool.spool, bot, { draftId: draft.id, revision: 1, text: 'Hello', cc: [own[1]] }),
      /only a person can add it/,
    )
    await assert.rejects(
      reviseDraft(spool.spool, bot, { draftId: draft.id, revision: 1, text: 'Hello', from: own[0] }),
      { code: 'forbidden' },
    )
  })

  test(`${database}: new mail starts from the chosen address, and an address taken away is not used any more`, async () => {
    const { desk, admin, page, own } = await open()
    const { inboxes } = await page.do<Session>('GET', '/session')
    assert.deepEqual(inboxes[0]!.aliases, own.slice(1))
    const fields = { kind: 'new', inboxId: desk.inbox.id, to: at('carla@brandt.example'), subject: 'Offer' }
    const usual = await page.do('POST', '/drafts', fields)
    const chosen = await page.do('POST', '/drafts', { ...fields, from: own[1] })
    assert.deepEqual([usual.from, chosen.from], own.slice(0, 2))
    await admin.do('PATCH', `/settings/inboxes/${desk.inbox.id}`, { aliases: [] })
    const letter = await page.do<Letter>('GET', `/drafts/${chosen.id}/letter`)
    assert.equal(letter.from.address, own[0])
  })

  test(`${database}: an address belongs to one inbox only, and comes and goes by the command line`, async () => {
    const { spool, desk, admin, own } = await open()
    const other = await openDesk(spool)
    for (const taken of [own[0], own[2]]) {
      const answer = await admin.ask('PATCH', `/settings/inboxes/${other.inbox.id}`, { aliases: [taken] })
      assert.equal(answer.status, 409, answer.text)
      assert.equal((await admin.ask('POST', '/settings/inboxes', { address: taken })).status, 409)
    }
    const env = spool.database.env
    const [added, set, none, clash] = await runCommands([
      { env, words: ['inbox', 'add', `cli-${own[0]}`, '--alias', `a-${own[0]}`, '--json'] },
      { env, words: ['inbox', 'set', `a-${own[0]}`, '--alias', `b-${own[0]}`, '--json'] },
      { env, words: ['inbox', 'set', `cli-${own[0]}`, '--alias', 'none', '--json'] },
      { env, words: ['inbox', 'set', `cli-${own[0]}`, '--alias', own[1]] },
    ])
    assert.deepEqual(added!.json<InboxSettings>().aliases, [`a-${own[0]}`])
    assert.deepEqual(set!.json<InboxSettings>().aliases, [`b-${own[0]}`], 'the list is replaced')
    assert.deepEqual(none!.json<InboxSettings>().aliases, [])
    assert.equal(clash!.code, 1)
    assert.match(clash!.stderr, new RegExp(`already belongs to the inbox ${desk.inbox.address}`))
    const who = desk.user.email
    const allow = { ...env, SPOOL_WEBHOOK_ALLOW: '127.0.0.0/8' }
    const narrowed = ['--inbox', own[1].toUpperCase(), '--json']
    const [token, webhook] = await runCommands([
      {
        env,
        words: ['token', 'create', '--user', who, '--name', 'Narrow', '--scope', 'threads:read', ...narrowed],
      },
      { env: allow, words: ['webhook', 'add', 'http://127.0.0.1:1/', '--by', who, ...narrowed] },
    ])
    assert.deepEqual([token!.stderr, webhook!.stderr], ['', ''])
    assert.deepEqual(webhook!.json<{ inboxes: string[] }>().inboxes, [desk.inbox.address])
  })

  test(`${database}: imported mail from any of the addresses is our own`, async () => {
    const { spool, desk, own } = await open()
    async function* mailbox() {
      for (const [index, from] of [...own, 'carla@brandt.example'].entries()) {
        const raw = Buffer.from(writeMail({ from, to: 'dan@x.example', subject: `From ${index}` }))
        yield { raw, seen: true, receivedAt: null, name: String(index) }
      }
    }
    await importMail(spool.spool, desk.inbox, mailbox(), { asRead: true, limits: defaultLimits })
    const directions: Record<string, string> = {}
    for (const { id, subject } of await desk.threads())
      directions[subject] = ((await desk.thread(id)).history[0] as MessageEntry).direction
    assert.deepEqual(directions, {
      'From 0': 'outbound',
      'From 1': 'outbound',
      'From 2': 'outbound',
      'From 3': 'inbound',
    })
  })
}
