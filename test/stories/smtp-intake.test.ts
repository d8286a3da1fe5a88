import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dkimSign } from 'mailauth'
import { databases } from '../support/databases.ts'
import { openDesk, type Desk } from '../support/desk.ts'
import { writeMail } from '../support/letter.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { NameServer } from '../support/name-server.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { storedSources, sum } from '../support/sources.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const folder = scratchFolder('certificate')
const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
execFileSync(
  'openssl',
  `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
    ' ',
  ),
  { stdio: 'pipe' },
)

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
let names: Promise<NameServer> | undefined
const spools: Promise<TestSpool>[] = []
after(async () => {
  for (const spool of spools) await (await spool)[Symbol.asyncDispose]()
  await (await names)?.[Symbol.asyncDispose]()
})

/** One Spool with both listeners for all tests of a database. */
function sharedListeners(database: (typeof databases)[number]): () => Promise<TestSpool> {
  let started: Promise<TestSpool> | undefined
  const start = async (): Promise<TestSpool> => {
    const texts: Record<string, string> = {
      'good.example': 'v=spf1 ip4:127.0.0.1 -all',
      'bad.example': 'v=spf1 -all',
      '_dmarc.good.example': 'v=DMARC1; p=reject',
      '_dmarc.bad.example': 'v=DMARC1; p=reject',
      's1._domainkey.good.example': `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
    }
    names ??= NameServer.start({ texts: (name) => (name in texts ? [texts[name]!] : []) })
    return startSpool(database, {
      SPOOL_SMTP_LISTEN: '127.0.0.1:0',
      SPOOL_LMTP_LISTEN: '127.0.0.1:0',
      SPOOL_TLS_CERT: certificate,
      SPOOL_TLS_KEY: key,
      SPOOL_MAX_MESSAGE: '200kB',
      SPOOL_AUTHSERV_ID: 'mx.shop.example',
      SPOOL_NAME_SERVERS: (await names).address,
    })
  }
  return () => {
    if (!started) spools.push((started = start()))
    return started
  }
}

const portOf = (address: string | null): number => Number(address!.split(':').at(-1))
const smtp = ({ app }: TestSpool): Promise<SmtpClient> => SmtpClient.connect(portOf(app.smtp))

async function authenticationOf(desk: Desk, subject: string): Promise<unknown> {
  const { id } = (await desk.threads('?limit=100')).find((thread) => thread.subject === subject)!
  const message = (await desk.thread(id)).history[0]
  return message?.type === 'message' ? message.authentication : undefined
}

for (const database of databases) {
  const started = sharedListeners(database)

  test(`${database}: mail handed over by SMTP is a thread at once, kept byte for byte`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    const greeting = await client.hello()
    assert.match(greeting, /^250[ -]SIZE 200000$/m)
    assert.match(greeting, /^250[ -]STARTTLS$/m)
    assert.doesNotMatch(greeting, /AUTH/)
    const raw =
      `${writeMail({ from: desk.inbox.address, subject: 'By SMTP' })}\r\n.hidden\r\n..two\r\n.\r\n`.replace(
        '\r\n.\r\n',
        '\r\n. \r\n',
      )
    const replies = await client.deliver(raw, [
      desk.inbox.address.toUpperCase(),
      desk.inbox.address.replace('@', '+orders@'),
    ])
    assert.match(replies.at(-1)!, /^250 2\.0\.0/)
    const [thread, ...others] = await desk.threads()
    assert.deepEqual([thread!.subject, thread!.unread, others.length], ['By SMTP', true, 0])
    const message = (await desk.thread(thread!.id)).history[0]
    assert.ok(message?.type === 'message' && message.direction === 'inbound', 'whatever its From says')
    assert.deepEqual(await storedSources(spool.spool, desk.inbox.number), [sum(raw)])
    assert.match(
      (await client.deliver(raw, [desk.inbox.address])).at(-1)!,
      /^250/,
      'sent again, as after a lost answer',
    )
    assert.equal((await storedSources(spool.spool, desk.inbox.number)).length, 1)
  })

  test(`${database}: one mail for several inboxes is in each; others than inboxes are refused`, async () => {
    const spool = await started()
    const [one, two] = [await openDesk(spool), await openDesk(spool)]
    using client = await smtp(spool)
    await client.hello()
    const elsewhere = [
      'someone@elsewhere.example',
      `nobody@${one.inbox.address.split('@')[1]}`,
      `+x@shop.example`,
      '"a@b"@shop.example',
    ]
    const replies = await client.deliver(writeMail({ subject: 'For both' }), [
      one.inbox.address,
      ...elsewhere,
      two.inbox.address,
    ])
    assert.deepEqual(
      replies.map((reply) => reply.slice(0, 3)),
      ['250', '250', '550', '550', '550', replies[5]!.slice(0, 3), '250', '354', '250'],
    )
    assert.match(replies[5]!, /^5/)
    for (const desk of [one, two]) assert.equal((await desk.threads()).length, 1)
    const refused = await client.deliver(writeMail({}), ['someone@elsewhere.example'])
    assert.match(refused.at(-1)!, /^503/)
  })

  test(`${database}: LMTP answers for each recipient`, async () => {
    const spool = await started()
    const [one, two] = [await openDesk(spool), await openDesk(spool)]
    using client = await SmtpClient.connect(portOf(spool.app.lmtp))
    assert.match(await client.hello('LHLO'), /^250/)
    assert.match(await client.say('EHLO x.example'), /^500/)
    const believed = 'Authentication-Results: mx.shop.example; spf=pass; dkim=fail; dmarc=none\r\n'
    const replies = await client.deliver(believed + writeMail({ subject: 'By LMTP' }), [
      one.inbox.address,
      two.inbox.address,
    ])
    assert.match(replies.at(-1)!, /^250/)
    assert.match(await client.reply(), /^250/)
    assert.match(await client.say('QUIT'), /^221/)
    assert.equal((await two.threads())[0]!.subject, 'By LMTP')
    assert.deepEqual(await authenticationOf(one, 'By LMTP'), { spf: 'pass', dkim: 'fail', dmarc: 'none' })
  })

  test(`${database}: STARTTLS with the certificate that was given`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    await client.hello()
    assert.match(await client.say('STARTTLS'), /^220/)
    await client.startTls(readFileSync(certificate, 'utf8'))
    assert.match(await client.say('EHLO client.example'), /^250/)
    assert.match((await client.deliver(writeMail({}), [desk.inbox.address])).at(-1)!, /^250/)
  })

  test(`${database}: SPF, DKIM and DMARC are found out, and a header about them is not believed`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    await client.hello()
    const forged = 'Authentication-Results: mx.shop.example; spf=pass; dkim=pass; dmarc=pass\r\n'
    const letter = writeMail({ from: 'Good <news@good.example>', subject: 'signed' })
    const signer = {
      signingDomain: 'good.example',
      selector: 's1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    }
    // What its types leave out: the signatures wanted are given as a list.
    const wanted = { ...signer, signatureData: [signer] }
    const { signatures } = await dkimSign(letter, wanted)
    const mails: [sender: string, raw: string][] = [
      ['news@good.example', signatures + letter],
      ['news@good.example', signatures + writeMail({ from: 'Good <news@good.example>', subject: 'changed' })],
      ['x@bad.example', forged + writeMail({ from: 'x@bad.example', subject: 'forged' })],
      ['', writeMail({ from: 'y@unknown.example', subject: 'unknown' })],
    ]
    for (const [sender, raw] of mails)
      assert.match((await client.deliver(raw, [desk.inbox.address], sender)).at(-1)!, /^250/)
    assert.deepEqual(await authenticationOf(desk, 'signed'), { spf: 'pass', dkim: 'pass', dmarc: 'pass' })
    assert.deepEqual(await authenticationOf(desk, 'changed'), { spf: 'pass', dkim: 'fail', dmarc: 'pass' })
    assert.deepEqual(await authenticationOf(desk, 'forged'), { spf: 'fail', dkim: 'none', dmarc: 'fail' })
    assert.deepEqual(await authenticationOf(desk, 'unknown'), { spf: 'none', dkim: 'none', dmarc: 'none' })
  })

  test(`${database}: what was proved of one sender is not shown of another`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    await client.hello()
    // Each is read as a mail of good.example by the checks, and as one of the bank's by who reads the last brackets.
    const senders = {
      'two in brackets': '<news@good.example> <ceo@bank.example>',
      'brackets without a blank': '<news@good.example><ceo@bank.example>',
      'a quoted one': '"ceo@bank.example"[)?=a(news@good.example',
    }
    for (const [subject, from] of Object.entries(senders)) {
      const raw = writeMail({ from, subject })
      assert.match((await client.deliver(raw, [desk.inbox.address], 'news@good.example')).at(-1)!, /^250/)
      assert.deepEqual(await authenticationOf(desk, subject), { spf: 'pass', dkim: 'none', dmarc: null })
    }
    for (const [subject, from] of [
      ['plain', 'news@good.example'],
      ['spelt otherwise', '"News, the" <news@GOOD.example.>'],
    ] as const) {
      await client.deliver(writeMail({ from, subject }), [desk.inbox.address], 'news@good.example')
      assert.deepEqual(await authenticationOf(desk, subject), { spf: 'pass', dkim: 'none', dmarc: 'pass' })
    }
  })

  test(`${database}: words added before or behind what was signed are not vouched for`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    await client.hello()
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const signer = {
      signingDomain: 'good.example',
      selector: 's1',
      privateKey: pem,
      maxBodyLength: 4,
    }
    const letter = 'From: news@good.example\r\nSubject: partly signed\r\n\r\nHi\r\n'
    const { signatures } = await dkimSign(letter, { ...signer, signatureData: [signer] })
    assert.match(signatures, /l=4/)
    const signed = signatures + letter
    const doubted = { spf: 'none', dkim: 'policy', dmarc: null }
    for (const [mail, verdict] of [
      [signed, { spf: 'none', dkim: 'pass', dmarc: 'pass' }],
      [`${signed}Pay here: evil.example\r\n`, doubted],
      // Of two subjects the last is the signed one, and another may be shown.
      [`Subject: Pay here\r\n${signed}`, doubted],
      // The same, with a name that only the reader of signatures takes for one.
      [`Subject: Pay there\r\n${signatures}${letter.replace('Subject: ', 'Subject\r\n : ')}`, doubted],
      // A header that would keep that reader busy is not given to it, and what comes next is.
      [
        `A: b\r\n${' c\r\n'.repeat(20_000)}${signatures}${letter.replace('partly', 'lengthily')}`,
        { spf: 'none', dkim: 'policy', dmarc: 'fail' },
      ],
      [signatures + letter.replace('Hi', 'Ho'), { spf: 'none', dkim: 'neutral', dmarc: 'fail' }],
    ] as const) {
      const before = new Set((await desk.threads('?limit=100')).map(({ id }) => id))
      await client.deliver(mail, [desk.inbox.address], '')
      const thread = (await desk.threads('?limit=100')).find(({ id }) => !before.has(id))!
      const message = (await desk.thread(thread.id)).history[0]
      assert.equal(message?.type, 'message')
      const { authentication, warnings } = message as MessageEntry
      assert.deepEqual(authentication, verdict)
      assert.deepEqual(warnings, verdict.dkim === 'policy' ? ['unchecked_sender'] : [])
    }
  })

  test(`${database}: the word of the own server counts for the sender that it has read`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await SmtpClient.connect(portOf(spool.app.lmtp))
    await client.hello('LHLO')
    const result = (more: string): string => `Authentication-Results: mx.shop.example; dmarc=pass${more}\r\n`
    const cases: [from: string, more: string, dmarc: string | null][] = [
      ['<x@good.example> <ceo@bank.example>', ' (p=reject) header.from=good.example', null],
      ['<x@good.example> <ceo@bank.example>', '', null],
      ['x@good.example, ceo@bank.example', '', null],
      ['"Ann, B." <x@good.example>', ' header.from=Good.example', 'pass'],
      ['"Ann, B." <x@good.example>', '', 'pass'],
      ['=?utf-8?Q?An=6E?= <x@good.example>', '', 'pass'],
      ['x@good.example', '', 'pass'],
    ]
    for (const [index, [from, more, dmarc]] of cases.entries()) {
      const subject = `Case ${index}`
      const raw = result(more) + writeMail({ from, subject })
      assert.match((await client.deliver(raw, [desk.inbox.address])).at(-1)!, /^250/)
      assert.deepEqual(await authenticationOf(desk, subject), { spf: null, dkim: null, dmarc }, from + more)
    }
  })

  test(`${database}: limits of size, recipients, strangers, bad commands and connections hold, and are counted`, async () => {
    const spool = await started()
    const desk = await openDesk(spool)
    using client = await smtp(spool)
    await client.hello()
    assert.match(await client.say('MAIL FROM:<a@b.example> SIZE=200001'), /^552/)
    const large = writeMail({ text: 'x'.repeat(300_000) })
    assert.match((await client.deliver(large, [desk.inbox.address])).at(-1)!, /^552/)
    assert.match(
      (await client.deliver(writeMail({ subject: 'small' }), [desk.inbox.address])).at(-1)!,
      /^250/,
      'the session goes on',
    )

    await client.say('MAIL FROM:<a@b.example>')
    for (let n = 0; n < 100; n++)
      assert.match(await client.say(`RCPT TO:<${desk.inbox.address.replace('@', `+${n}@`)}>`), /^250/)
    assert.match(await client.say(`RCPT TO:<${desk.inbox.address}>`), /^452/)

    using guesser = await smtp(spool)
    await guesser.hello()
    await guesser.say('MAIL FROM:<a@b.example>')
    const answers: string[] = []
    for (let n = 0; n < 20; n++) answers.push(await guesser.say(`RCPT TO:<guess${n}@shop.example>`))
    assert.match(answers.at(-1)!, /^421/)
    assert.equal(await guesser.reply(), '')

    using stranger = await smtp(spool)
    await stranger.hello()
    const replies: string[] = []
    for (let n = 0; n < 10; n++) replies.push(await stranger.say('NONSENSE'))
    assert.match(replies.at(-1)!, /^421/)
    using relay = await smtp(spool)
    await relay.hello()
    assert.match(await relay.say('AUTH PLAIN AGEAYg=='), /^5/)
    assert.match(await relay.say('x'.repeat(5000)), /^(421|500)|^$/)

    using crowd = new DisposableStack()
    const greetings: string[] = []
    for (let n = 0; n < 55; n++) {
      const one = crowd.use(await smtp(spool))
      if (n >= 50) greetings.push(await one.reply())
    }
    assert.ok(
      greetings.some((greeting) => greeting.startsWith('421')),
      greetings.join('\n'),
    )
    const metrics = (await spool.get('/metrics')).text
    for (const reason of ['too_large', 'unknown_recipient', 'too_many_connections'])
      assert.match(metrics, new RegExp(`spool_mail_refused_total\\{reason="${reason}"\\} [1-9]`))
    assert.match(metrics, /spool_mail_received_total\{door="smtp"\} [1-9]/)
    assert.deepEqual(
      (await desk.threads()).map(({ subject }) => subject),
      ['small'],
    )
    for (const line of spool.log.filter((line) => !line.includes('"request"')))
      assert.doesNotMatch(line, /brandt\.example|guess\d/, 'nothing of the mail reaches the log')
  })
}

test('an address that cannot be listened at stops the start with a sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const start = (address: string) => startSpool('sqlite', { SPOOL_SMTP_LISTEN: address })
  await assert.rejects(
    start(`127.0.0.1:${port}`),
    /^SpoolError: SPOOL_SMTP_LISTEN names a port that is already in use/,
  )
  await assert.rejects(
    start('192.0.2.1:2525'),
    /^SpoolError: SPOOL_SMTP_LISTEN must be an address of this machine/,
  )
  taken.close()
})
