import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Points at which an SMTP session can break, in session order. */
export const cuts = [
  'accept',
  'greeting',
  'EHLO',
  'EHLO reply',
  'MAIL',
  'MAIL reply',
  'RCPT',
  'RCPT reply',
  'DATA',
  'DATA reply',
  'half of the body',
  'all but the dot',
  'dot',
  'answer withheld',
  'half of the answer',
  'answer',
] as const
export type Cut = (typeof cuts)[number]

/** The sender cannot know the outcome of these: the server has the mail, but its full answer never arrived. */
export const lostAnswers: readonly Cut[] = ['dot', 'answer withheld', 'half of the answer']
/** During the message data: the sender may have sent the final dot before it noticed the broken connection. */
export const inTheMail: readonly Cut[] = ['half of the body', 'all but the dot']

export interface Broken {
  cut: Cut
  /** Null if the header had not arrived yet. */
  subject: string | null
}

export interface CuttingProxy extends AsyncDisposable {
  port: number
  /** Every session that the proxy broke. */
  broken: Broken[]
  /** Called for each connection. */
  next(): Cut | null
  /** Called when the sender's final dot arrives, before the server gets it; false withholds it from the server. */
  atDot: ((subject: string) => Promise<boolean>) | null
}

const empty: Buffer = Buffer.alloc(0)
const dot = Buffer.from('\r\n.\r\n')

/** A proxy before a real server that breaks both connections at the chosen point. The server finishes what it has. */
export async function startCuttingProxy(target: number, next: () => Cut | null): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const proxy: CuttingProxy = {
    port: 0,
    broken: [],
    next,
    atDot: null,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((client) => {
    const cut = proxy.next()
    if (cut === 'accept') {
      proxy.broken.push({ cut, subject: null })
      return void client.destroy()
    }
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    converse(client, upstream, cut, proxy.atDot, (subject) => proxy.broken.push({ cut: cut!, subject }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}

function converse(
  client: Socket,
  upstream: Socket,
  cut: Cut | null,
  atDot: CuttingProxy['atDot'],
  onBroken: (subject: string | null) => void,
): void {
  let over = false
  /** What each pending reply answers. */
  const awaited: string[] = ['greeting']
  let body = false
  let tail: Buffer = empty
  let commands: Buffer = empty
  let head = ''
  /** False while the server must still get all data, however slow it is. Its next reply shows that it has. */
  let heard = true
  const leave = (): void => {
    if (heard) upstream.end()
  }
  const subject = (): string | null => /^Subject: (.*)\r$/m.exec(head)?.[1] ?? null
  const end = (): void => {
    over = true
    onBroken(subject())
    client.destroy()
    leave()
  }

  const takeBody = (chunk: Buffer): void => {
    if (chunk.length === 0) return
    if (head.length < 4096) head += chunk.toString('latin1')
    if (cut === 'half of the body') {
      upstream.write(chunk.subarray(0, chunk.length >> 1))
      return end()
    }
    // Searches across chunks. The first line may already be the dot.
    tail = Buffer.concat([tail, chunk])
    const at = tail.indexOf(dot)
    if (at === -1) {
      upstream.write(chunk)
      tail = tail.subarray(1 - dot.length)
      if (cut === 'all but the dot') end()
      return
    }
    const rest = tail.subarray(at + dot.length)
    if (cut === 'all but the dot') {
      upstream.write(chunk.subarray(0, Math.max(0, chunk.length - rest.length - 3)))
      return end()
    }
    body = false
    awaited.push('dot')
    const last = chunk.subarray(0, chunk.length - rest.length)
    if (atDot) {
      heard = false
      void atDot(subject()!).then((pass) => (pass ? upstream.write(last) : upstream.destroy()))
      return
    }
    upstream.write(last)
    if (cut === 'dot') {
      heard = false
      return end()
    }
    takeCommands(rest)
  }

  const takeCommands = (chunk: Buffer): void => {
    commands = Buffer.concat([commands, chunk])
    for (;;) {
      const at = commands.indexOf('\r\n')
      if (at === -1) return
      const line = commands.subarray(0, at + 2)
      commands = commands.subarray(at + 2)
      const verb = line.toString('latin1').slice(0, 4).toUpperCase()
      if (verb === cut) return end()
      awaited.push(verb)
      upstream.write(line)
    }
  }

  client.on('data', (chunk: Buffer) => {
    if (over) return
    if (body) takeBody(chunk)
    else takeCommands(chunk)
  })
  client.on('close', leave)

  let replies = ''
  upstream.on('data', (chunk: Buffer) => {
    if (!heard) return void upstream.end()
    replies += chunk.toString('latin1')
    for (
      let match = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(replies);
      match;
      match = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(replies)
    ) {
      replies = replies.slice(match[0].length)
      if (over) return
      const to = awaited.shift()
      if (to === 'dot' && cut === 'answer withheld') return end()
      if (to === 'dot' && cut === 'half of the answer') {
        client.write(match[0].slice(0, 2), 'latin1', end)
        return
      }
      const last =
        (to === 'greeting' && cut === 'greeting') ||
        cut === `${to} reply` ||
        (to === 'dot' && cut === 'answer')
      client.write(match[0], 'latin1', last ? end : undefined)
      if (last) {
        over = true
        return
      }
      if (to === 'DATA' && match[0].startsWith('354')) {
        body = true
        tail = Buffer.from('\r\n')
        const early = commands
        commands = empty
        takeBody(early)
      }
    }
  })
  upstream.on('close', () => client.end())
}
