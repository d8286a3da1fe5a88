import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { handOver, type Handover } from '../../src/mail/smtp/client.ts'
import type { MailServer, Security } from '../../src/model/mail/server.ts'
import { scratchFolder } from '../support/parts/scratch.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

const parcel = {
  from: 'support@shop.example',
  to: ['carla@brandt.example', 'dan@brandt.example'],
  source: Buffer.from('Subject: Hello\r\n\r\n.dot\r\n'),
}
const credentials = { user: 'pia', password: 'pass word' }

function deliver(
  { port }: SmtpSink,
  security: Security,
  beforeDot = async (): Promise<void> => undefined,
  signal = new AbortController().signal,
): Promise<Handover> {
  const server: MailServer = { kind: 'smtp', host: 'localhost', port, security, ...credentials, options: {} }
  return handOver(server, parcel, beforeDot, { stop: signal, cut: new AbortController().signal })
}

async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = scratchFolder('certificate')
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const kind = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  await promisify(execFile)('openssl', [...kind, ...names, '-keyout', key, '-out', cert])
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

test('without TLS, or with a certificate that nobody vouches for, neither password nor mail is told', async () => {
  await using open = await startSmtpSink({ credentials })
  const asked: string[] = []
  const listen = (sink: SmtpSink): void => {
    sink.refuse = (step) => {
      asked.push(step)
      return null
    }
  }
  listen(open)
  assert.equal((await deliver(open, 'starttls')).result, 'refused')
  assert.deepEqual(asked, [])

  const pair = await makeCertificate()
  const usual = getCACertificates('default')
  for (const secure of [false, true]) {
    const security = secure ? 'tls' : 'starttls'
    await using sink = await startSmtpSink({ credentials, tls: { ...pair, secure } })
    listen(sink)
    const unknown = await deliver(sink, security)
    assert.equal(unknown.result, 'refused')
    assert.match(unknown.answer, /certificate/)
    assert.deepEqual(asked, [])
    setDefaultCACertificates([...usual, pair.cert])
    try {
      assert.equal((await deliver(sink, security)).result, 'accepted')
    } finally {
      setDefaultCACertificates(usual)
    }
    assert.equal(sink.mails.length, 1)
    asked.length = 0
  }
})

test('when the last check fails the dot is not said, and the server keeps nothing', async () => {
  await using sink = await startSmtpSink({ credentials })
  const failed = await deliver(sink, 'none', async () => {
    throw new Error('Another node has taken over this draft.')
  })
  assert.deepEqual([failed.result, failed.answer], ['refused', 'Another node has taken over this draft.'])
  const stop = new AbortController()
  const stopped = await deliver(sink, 'none', async () => stop.abort(), stop.signal)
  assert.equal(stopped.result, 'refused', 'a server that is shut down says no dot either')
  assert.equal(sink.mails.length, 0)
  assert.equal((await deliver(sink, 'none')).result, 'accepted')
  assert.equal(sink.mails[0]!.source.trim(), 'Subject: Hello\r\n\r\n.dot')
})

test("the server's words tell for now from for good, at every step", async () => {
  await using sink = await startSmtpSink({ credentials })
  for (const step of ['mail', 'rcpt', 'data'] as const) {
    for (const code of [450, 550]) {
      sink.refuse = (asked, address) => (asked === step && address !== 'carla@brandt.example' ? code : null)
      const answer = await deliver(sink, 'none')
      const permanent = 'permanent' in answer && answer.permanent
      assert.deepEqual([answer.result, permanent], ['refused', code === 550], `${step} ${code}`)
      assert.match(answer.answer, new RegExp(`^${code}`))
    }
  }
  assert.equal(sink.mails.length, 0, 'to all of them or to none')
})
