import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { startDovecot } from '../test/support/parts/dovecot.ts'

const batch = 100

/** MULTIAPPEND in batches, with literals that wait for no reply: the fastest way into an IMAP mailbox. */
export async function appendToDovecot(
  messages: AsyncIterable<Uint8Array>,
): Promise<{ count: number; seconds: number }> {
  await using dovecot = await startDovecot({ users: { bench: 'secret' } })
  const socket = connect(dovecot.port, dovecot.host)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (tag: string): Promise<void> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) throw new Error('Dovecot closed the connection.')
      if (value.startsWith(`${tag} OK`)) return
      if (value.startsWith(`${tag} `)) throw new Error(value)
    }
  }
  await once(socket, 'connect')
  socket.write('a LOGIN bench secret\r\n')
  await answer('a')
  const all: Buffer[] = []
  for await (const raw of messages)
    all.push(Buffer.from(Buffer.from(raw).toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1'))
  const started = performance.now()
  for (let at = 0; at < all.length; at += batch) {
    const literals = all.slice(at, at + batch).flatMap((raw) => [Buffer.from(` {${raw.length}+}\r\n`), raw])
    socket.write(Buffer.concat([Buffer.from('b APPEND INBOX'), ...literals, Buffer.from('\r\n')]))
    await answer('b')
  }
  const seconds = (performance.now() - started) / 1000
  socket.destroy()
  return { count: all.length, seconds }
}
