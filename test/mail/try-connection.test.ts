import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { probeMailServer, type Trial } from '../../src/mail/try-connection.ts'
import { mailServerKinds, type MailServerKind } from '../../src/model/mail/server.ts'
import { until } from '../support/until.ts'

/** Tries a server that does with every caller as told; `callers` are those who have not hung up. */
async function tryServer(
  kind: MailServerKind,
  timeout: number,
  serve: (socket: Socket) => void,
  look: (trial: Trial, callers: ReadonlySet<Socket>) => Promise<void>,
): Promise<void> {
  const callers = new Set<Socket>()
  const server = createServer((socket) => {
    callers.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => callers.delete(socket))
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const address = { kind, host: '127.0.0.1', port, security: 'none', user: 'ada', options: {} } as const
    await look(await probeMailServer({ ...address, password: 'open "sesame"' }, timeout), callers)
  } finally {
    for (const socket of callers) socket.destroy()
    server.close()
  }
}

/** Lets anybody in, and from then on is never silent and never done. */
const talkers: Record<MailServerKind, (socket: Socket) => void> = {
  imap(socket) {
    socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
    onLine(socket, (line) => {
      const tag = line.split(' ')[0]!
      if (/ CAPABILITY$/i.test(line)) socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`)
      else if (/ LOGIN /i.test(line)) socket.write(`${tag} OK\r\n`)
      else talk(socket, '* OK one moment please\r\n')
    })
  },
  smtp(socket) {
    socket.write('220 here\r\n')
    onLine(socket, () => talk(socket, '250-one moment please\r\n'))
  },
}

/** Who hangs up in the middle of a sentence makes the reader of its lines fail too: that is what is waited for. */
function onLine(socket: Socket, hear: (line: string) => void): void {
  createInterface(socket)
    .on('error', () => undefined)
    .on('line', hear)
}

function talk(socket: Socket, words: string): void {
  const talking = setInterval(() => socket.write(words), 50)
  socket.on('close', () => clearInterval(talking))
}

/** Repeats what it is told, above all the password. */
const parrots: Record<MailServerKind, (socket: Socket) => void> = {
  imap(socket) {
    socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
    onLine(socket, (line) => {
      const tag = line.split(' ')[0]!
      if (/ CAPABILITY$/i.test(line)) socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`)
      else socket.write(`${tag} NO I do not know ${line}\r\n`)
    })
  },
  smtp(socket) {
    socket.write('220 here\r\n')
    onLine(socket, (line) => {
      if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
      else socket.write(`535 I do not know ${line}\r\n`)
    })
  },
}

/** Cannot ask whoever knows the passwords. */
const unavailable: Record<MailServerKind, (socket: Socket) => void> = {
  imap(socket) {
    socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
    onLine(socket, (line) => {
      const tag = line.split(' ')[0]!
      if (/ CAPABILITY$/i.test(line)) socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK\r\n`)
      else socket.write(`${tag} NO [UNAVAILABLE] Temporary authentication failure.\r\n`)
    })
  },
  smtp(socket) {
    socket.write('220 here\r\n')
    onLine(socket, (line) => {
      if (line.startsWith('EHLO')) socket.write('250-here\r\n250 AUTH PLAIN\r\n')
      else socket.write('454 4.7.0 Temporary authentication failure\r\n')
    })
  },
}

for (const kind of mailServerKinds) {
  test(`${kind}: a server that cannot check the password has not refused it`, () =>
    tryServer(kind, 60_000, unavailable[kind], async (trial) => {
      assert.ok(!trial.ok)
      assert.equal(trial.problem, 'other')
      assert.match(trial.message, /could not be used: .*authentication failure/)
    }))

  test(`${kind}: a server that only ever talks is hung up on when the time is over`, () =>
    tryServer(kind, 500, talkers[kind], async (trial, callers) => {
      assert.equal(!trial.ok && trial.problem, 'timeout')
      await until('the connection ends', async () => callers.size === 0)
    }))

  test(`${kind}: a server that repeats the password does not have it shown`, () =>
    tryServer(kind, 60_000, parrots[kind], async (trial) => {
      assert.ok(!trial.ok)
      assert.equal(trial.problem, 'password')
      assert.match(trial.message, /it says: I do not know .*…/)
      for (const form of ['sesame', Buffer.from('open "sesame"').toString('base64').slice(2, 10)])
        assert.ok(!trial.message.includes(form), trial.message)
      assert.doesNotMatch(trial.message, /AGFkYQ/, 'nor user and password as SMTP writes them')
    }))
}
