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
  /** All accepted mails, in order. */
  mails: SunkMail[]
  /** Returns a reply code to refuse a step, or null to accept it. */
  refuse(step: 'mail' | 'rcpt' | 'data', address: string): number | null
  /** Awaited before a mail is accepted. */
  hold: Promise<void> | null
  /** Called with each mail before the server accepts it. */
  deliver(mail: SunkMail): Promise<void>
}

export interface SinkOptions {
  pipelining?: boolean
  /** Required user name and password; null: anyone may send. */
  credentials?: { user: string; password: string } | null
  /** PEM, for STARTTLS, or for implicit TLS with `secure`. */
  tls?: { key: string; cert: string; secure: boolean } | null
}

/** A real SMTP server that keeps what it receives and relays nothing. */
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
        // Null if the connection broke before the final dot. No server keeps such mail.
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
  // Some tests break the connection on purpose.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sink.port = (server.server.address() as AddressInfo).port
  return sink
}
