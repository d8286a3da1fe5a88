import { once } from 'node:events'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { limitKey } from '../../model/client-limit.ts'
import { hasBareLineEnd } from '../line-ends.ts'
import type { ByteBudget } from '../../model/byte-budget.ts'

/** LMTP is SMTP for final delivery from a mail server; it responds for each recipient. */
export type ListenerProtocol = 'smtp' | 'lmtp'

/** A received message, with its envelope. */
export interface HandedOver {
  raw: Buffer
  /** The addresses that `knows` accepted. */
  recipients: string[]
  /** MAIL FROM; empty for bounces. */
  sender: string
  clientAddress: string
  /** The name that the client gave for itself. */
  helo: string
}

export interface ListenerOptions {
  protocol: ListenerProtocol
  host: string
  port: number
  largestMessage: number
  /** Of all messages that are being received at once, and of what else shares it. */
  budget: ByteBudget
  tls: { cert: string; key: string } | null
  /** Milliseconds per connection, whatever it does; some clients send commands forever and no message. */
  longestSession?: number
  /** Whether mail for this address is accepted; nothing is relayed to anywhere else. */
  knows(address: string): Promise<boolean>
  /** Resolves with its id once the message is durably stored: only then is it acknowledged. */
  take(mail: HandedOver): Promise<string>
  onRefusal(reason: RefusalReason): void
  /** The client's connection failed, or the handling of it. */
  onTrouble(error: Error): void
}

export type RefusalReason =
  | 'unknown_recipient'
  | 'too_many_recipients'
  | 'too_many_connections'
  | 'too_large'
  | 'bare_line_end'
  | 'too_slow'
  | 'busy'
  | 'stopping'
  | 'store_unavailable'

export interface Listener extends AsyncDisposable {
  host: string
  port: number
}

type Reply = [error: Error | null, message?: string]

/** A refusal as an SMTP response; a `code` of 4xx asks the client to retry. */
class Refusal extends Error {
  readonly responseCode: number
  readonly reason: RefusalReason

  constructor(code: number, reason: RefusalReason, message: string) {
    super(message)
    this.responseCode = code
    this.reason = reason
  }
}

const usualLongestSession = 30 * 60_000
const mostConnections = 200
const mostConnectionsPerAddress = 50
const mostRecipients = 100
/** Per session; a client that tries this many names is guessing. */
const mostUnknownRecipients = 20
const idleMilliseconds = 60_000
/** Milliseconds for one message, however slowly it arrives. */
const dataMilliseconds = 10 * 60_000
/** Beyond these, chunks are joined: each takes a hundred bytes besides, and a line of dots comes as one of three. */
const mostChunks = 1_000
/** On shutdown, milliseconds for messages that are still arriving to complete. */
const grace = 2_000
/** On shutdown, milliseconds for the last responses to be sent. */
const farewell = 250
const stopping = '4.3.2 This server is stopping; connect again'

export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { SMTPServer } = await import('smtp-server')
  const connections = new Map<string, number>()
  const counted = new WeakMap<SMTPServerSession, string>()
  const strangers = new WeakMap<SMTPServerSession, number>()
  const distrusted = new WeakSet<SMTPServerSession>()
  const underWay = new Map<SMTPServerSession, Promise<void>>()
  const cut = new AbortController()
  let isStopping = false
  const isLmtp = options.protocol === 'lmtp'

  const refuse = (refusal: unknown): Error => {
    if (refusal instanceof Refusal) {
      options.onRefusal(refusal.reason)
      return refusal
    }
    options.onRefusal('store_unavailable')
    options.onTrouble(refusal as Error)
    const message = '4.3.0 The message could not be stored right now; try again later'
    return Object.assign(new Error(message), { responseCode: 451 })
  }

  const settings: SMTPServerOptions = {
    lmtp: isLmtp,
    noDelay: true,
    name: 'spool',
    banner: 'Spool',
    size: options.largestMessage,
    disabledCommands: options.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...options.tls,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    maxClients: mostConnections,
    maxRecipients: mostRecipients,
    maxCommandLength: 2048,
    socketTimeout: idleMilliseconds,
    closeTimeout: 5_000,
    logger: false,
    onConnect(session, callback) {
      const key = limitKey(session.remoteAddress)
      const open = (connections.get(key) ?? 0) + 1
      connections.set(key, open)
      counted.set(session, key)
      // A mail server that delivers here by LMTP always has the same address.
      if (isLmtp || open <= mostConnectionsPerAddress) return callback()
      callback(
        refuse(new Refusal(421, 'too_many_connections', '4.7.0 Too many connections from your address')),
      )
    },
    onClose(session) {
      // A client that talks before the greeting is disconnected before it was counted, and has no address yet.
      const key = counted.get(session)
      if (key === undefined) return
      counted.delete(session)
      const open = (connections.get(key) ?? 1) - 1
      if (open > 0) connections.set(key, open)
      else connections.delete(key)
    },
    onMailFrom: (_sender, session, callback) => void answer(checkTrust(session), callback),
    onRcptTo: ({ address }, session, callback) => void answer(checkRecipient(address, session), callback),
    onData(stream, session, callback) {
      const done = answer(receive(stream, session), callback)
      underWay.set(session, done)
      void done.finally(() => underWay.delete(session))
    },
  }

  const answer = async (work: Promise<string | void>, callback: (...reply: Reply) => void): Promise<void> => {
    const reply = await work.then(
      (id): Reply => [null, `2.0.0 Stored as ${id}`],
      // With this code the client disconnected before the end: there is nobody to respond to.
      (error: Error & { code?: string }): Reply => [error.code === 'ECONNECTION' ? error : refuse(error)],
    )
    callback(...reply)
  }

  /** A client that sent bare line ends may relay mail with another hidden in it: what it sends next may be that one. */
  const checkTrust = async (session: SMTPServerSession): Promise<void> => {
    if (isStopping) throw new Refusal(421, 'stopping', stopping)
    if (distrusted.has(session))
      throw new Refusal(421, 'bare_line_end', '4.7.0 Lines ended wrongly before; connect again')
  }

  const checkRecipient = async (address: string, session: SMTPServerSession): Promise<void> => {
    if (await options.knows(address)) return
    const count = (strangers.get(session) ?? 0) + 1
    strangers.set(session, count)
    if (count >= mostUnknownRecipients)
      throw new Refusal(421, 'unknown_recipient', '4.7.0 Too many unknown recipients')
    throw new Refusal(550, 'unknown_recipient', '5.1.1 No mail is taken for this address here')
  }

  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> => {
    const { envelope, remoteAddress, hostNameAppearsAs } = session
    // The session is reset for the next message as soon as the stream has ended.
    const recipients = envelope.rcptTo.map(({ address }) => address)
    const sender = envelope.mailFrom ? envelope.mailFrom.address : ''
    using share = options.budget.open()
    const raw = await readAll(stream, share, cut.signal)
    if (hasBareLineEnd(raw)) {
      distrusted.add(session)
      throw new Refusal(550, 'bare_line_end', '5.6.0 Lines must end with CR LF; a bare CR or LF is refused')
    }
    return await options.take({
      raw,
      recipients,
      sender,
      clientAddress: remoteAddress,
      helo: hostNameAppearsAs,
    })
  }

  const server = new SMTPServer(settings)
  // Clients that disconnect or send garbage are routine; without a listener their errors would end the process.
  server.on('error', (error) => options.onTrouble(error))
  const listening = server.listen(options.port, options.host)
  await once(listening, 'listening')
  listening.on('connection', (socket: Socket) => {
    const held = new WeakRef(socket)
    // TLS takes over all listeners of a socket, so its close is not seen: the timer must not retain a closed socket.
    setTimeout(() => held.deref()?.destroy(), options.longestSession ?? usualLongestSession).unref()
  })
  const { address, port } = listening.address() as AddressInfo
  return {
    host: isIPv6(address) ? `[${address}]` : address,
    port,
    async [Symbol.asyncDispose]() {
      isStopping = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const open = server.connections as ReadonlySet<OpenConnection>
      const hangUp = (): void => {
        for (const connection of open) if (!underWay.has(connection.session)) connection.send(421, stopping)
      }
      hangUp()
      const timer = setTimeout(() => cut.abort(), grace)
      // Messages that arrived completely are stored and acknowledged, so that nobody sends them again.
      await Promise.allSettled(underWay.values())
      clearTimeout(timer)
      hangUp()
      await Promise.race([closed, sleep(farewell)])
    },
  }
}

/** An open connection in smtp-server, which its types omit. A 421 ends the connection. */
interface OpenConnection {
  session: SMTPServerSession
  send(code: number, message: string): void
}

/** The whole message, or a refusal: one that is too much is read to its end and dropped, as SMTP responds only then. */
async function readAll(
  stream: SMTPServerDataStream,
  share: ReturnType<ByteBudget['open']>,
  cut: AbortSignal,
): Promise<Buffer> {
  const whole: Buffer[] = []
  const chunks: Buffer[] = []
  let isBusy = false
  const timer = setTimeout(
    () => stream.destroy(new Refusal(421, 'too_slow', '4.4.2 The message took too long')),
    dataMilliseconds,
  )
  const stop = (): void => void stream.destroy(new Refusal(421, 'stopping', stopping))
  cut.addEventListener('abort', stop)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      isBusy ||= !stream.sizeExceeded && !share.take(chunk.length)
      if (isBusy || stream.sizeExceeded) whole.length = chunks.length = 0
      else chunks.push(chunk)
      if (chunks.length >= mostChunks) whole.push(Buffer.concat(chunks.splice(0)))
    }
  } finally {
    clearTimeout(timer)
    cut.removeEventListener('abort', stop)
  }
  if (stream.sizeExceeded) throw new Refusal(552, 'too_large', '5.3.4 The message is larger than may be')
  if (isBusy) throw new Refusal(452, 'busy', '4.3.1 Too much mail is under way; try again later')
  return Buffer.concat([...whole, ...chunks])
}
