import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface SunkMail {
  from: string
  to: string[]
  source: string
  messageId: string
}

export interface SmtpSink extends AsyncDisposable {
  port: number
  /** Everything it said yes to, in that order. */
  mails: SunkMail[]
  /** Answers instead of yes: a code for a step, or null to go on. */
  refuse(step: 'mail' | 'rcpt' | 'data', address: string): number | null
  /** Waited for before a mail is taken. */
  hold: Promise<void> | null
  /** What is done with a mail before the server says yes to it. */
  deliver(mail: SunkMail): Promise<void>
}

export interface SinkOptions {
  pipelining?: boolean
  /** Name and password that it wants; null: anybody may send. */
  credentials?: { user: string; password: string } | null
  /** PEM, for STARTTLS, or from the first byte with `secure`. */
  tls?: { key: string; cert: string; secure: boolean } | null
}

/** A real SMTP server that keeps what it gets and passes nothing on. */
export async function startSmtpSink({
  pipelining = true,
  credentials = null,
  tls = null,
}: SinkOptions = {}): Promise<SmtpSink> {
  const sink: SmtpSink = {
    port: 0,
    mails: [],
    refuse: () => null,
    hold: null,
    deliver: async () => undefined,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  const answer = (
    step: 'mail' | 'rcpt' | 'data',
    address: string,
    done: (error?: Error | null) => void,
  ): void => {
    const code = sink.refuse(step, address)
    done(code === null ? null : Object.assign(new Error(`No ${step} for ${address}`), { responseCode: code }))
  }
  const server = new SMTPServer({
    logger: false,
    ...tls,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(credentials ? [] : ['AUTH'])],
    authOptional: credentials === null,
    allowInsecureAuth: true,
    hidePIPELINING: !pipelining,
    hideSMTPUTF8: false,
    closeTimeout: 100,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === credentials?.user && password === credentials?.password
        ? done(null, { user: username! })
        : done(new Error('Wrong name or password')),
    onMailFrom: ({ address }, _session, done) => answer('mail', address, done),
    onRcptTo: ({ address }, _session, done) => answer('rcpt', address, done),
    onData(stream, { envelope }, done) {
      void (async () => {
        // Null where the connection broke before the final dot: no server keeps that.
        const source = await text(stream).catch(() => null)
        if (source === null) return
        const code = sink.refuse('data', '')
        if (code !== null) return done(Object.assign(new Error('Not this mail'), { responseCode: code }))
        await sink.hold
        const mail = {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          source,
          messageId: /^Message-ID: (<[^>]*>)/im.exec(source)?.[1] ?? '',
        }
        await sink.deliver(mail)
        sink.mails.push(mail)
        done()
      })()
    },
  })
  // What breaks at the other end is the point of some tests.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sink.port = (server.server.address() as AddressInfo).port
  return sink
}
