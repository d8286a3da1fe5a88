import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { connectImap } from '../../src/mail/imap/connection.ts'
import { chooseFolders, listUids, openFolder } from '../../src/mail/imap/folder.ts'
import { until } from '../support/until.ts'

test('a server whose line does not end is hung up on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(`* OK ${'x'.repeat(16_000_000)}\r\n`)
    socket.on('data', (line) => socket.write(`${String(line).split(' ')[0]} OK done\r\n`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const place = { kind: 'imap', host: '127.0.0.1', port, security: 'none', options: {} } as const
  await assert.rejects(connectImap({ ...place, user: 'team', password: 'secret' }), { code: 'LineTooLarge' })
  server.close()
})

/** A folder of many messages, of which one is removed after each search. Records the size of each answer. */
async function startFolder(uids: number[], sizes: number[]): Promise<Server> {
  const server = createServer((socket) => {
    const say = (...lines: string[]): unknown => socket.write(lines.map((line) => `${line}\r\n`).join(''))
    const search = (criteria: string): void => {
      const [, kind, first, last] = /(UID )?(\d+):(\d+|\*)$/.exec(criteria)!
      const found =
        kind === undefined
          ? uids.slice(Number(first) - 1, Number(last))
          : uids.filter((uid, at) => uid >= Number(first) || at === uids.length - 1)
      sizes.push(found.length)
      uids.shift()
      say(`* SEARCH ${found.join(' ')}`, '* 1 EXPUNGE')
    }
    socket.on('error', () => undefined)
    say('* OK [CAPABILITY IMAP4rev1] here')
    createInterface(socket)
      .on('error', () => undefined)
      .on('line', (line) => {
        const [, tag, command, rest] = /^(\S+) ((?:UID )?\S+) ?(.*)/.exec(line)!
        if (command === 'EXAMINE')
          say(`* ${uids.length} EXISTS`, '* OK [UIDVALIDITY 1]', `* OK [UIDNEXT ${uids.at(-1)! + 1}]`)
        if (command === 'UID SEARCH') search(rest!)
        if (command === 'LIST') say('* LIST () "/" "Archive"')
        say(`${tag} OK`)
        if (command === 'LOGOUT') socket.end()
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

test('the UIDs of a large folder are requested in parts, and none is left out', async () => {
  const uids = Array.from({ length: 12_003 }, (_, at) => 7 * at + 3)
  const sizes: number[] = []
  const server = await startFolder(uids, sizes)
  const { port } = server.address() as AddressInfo
  const place = { kind: 'imap', host: '127.0.0.1', port, security: 'none', options: {} } as const
  await using connection = await connectImap({ ...place, user: 'team', password: 'secret' })
  await openFolder(connection, 'Archive', { writable: false })
  const listed = async (from: number): Promise<[number[], number[]]> => {
    sizes.length = 0
    const left = uids.filter((uid) => uid >= from)
    const found = new Set(await listUids(connection, from))
    return [left.filter((uid) => !found.has(uid)), [...sizes]]
  }
  const [missing, parts] = await listed(1)
  // The first two are gone before the last part is requested, so two others are named again.
  assert.deepEqual(
    [missing, parts],
    [
      [3, 10],
      [5_000, 5_000, 2_003],
    ],
  )
  assert.deepEqual(await listed(uids.at(-1)!), [[], [1]])
  assert.deepEqual(await listed(uids.at(-3)! - 10_000), [[], [5_000]])
  server.close()
})

const lists = {
  LIST: `* LIST () "/" "${'Archive'.repeat(1000)}"\r\n`,
  UID: `* SEARCH ${Array.from({ length: 5000 }, (_, at) => at + 1).join(' ')}\r\n`,
}
const opened = '* 3 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 4]\r\n'

for (const [command, line] of Object.entries(lists))
  test(`a server whose answer to ${command} does not end is hung up on`, async () => {
    const callers = new Set<Socket>()
    const server = createServer((socket) => {
      callers.add(socket)
      const talk = (): void => {
        while (!socket.destroyed && socket.write(line));
        socket.once('drain', talk)
      }
      socket.on('error', () => undefined).on('close', () => callers.delete(socket))
      socket.write('* OK [CAPABILITY IMAP4rev1] here\r\n')
      createInterface(socket)
        .on('error', () => undefined)
        .on('line', (asked) => {
          const [tag, name] = asked.split(' ')
          if (name === command && !asked.includes('"" ""')) talk()
          else socket.write(`${name === 'EXAMINE' ? opened : ''}${tag} OK\r\n`)
        })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const place = { kind: 'imap', host: '127.0.0.1', port, security: 'none', options: {} } as const
    await using connection = await connectImap({ ...place, user: 'team', password: 'secret' })
    if (command === 'UID') await openFolder(connection, 'Archive', { writable: false })
    const asked = command === 'UID' ? listUids(connection, 1) : chooseFolders(connection)
    await assert.rejects(asked, /127\.0\.0\.1 lists more folders or messages than Spool can hold/)
    await until('the connection ends', async () => callers.size === 0)
    server.close()
  })

for (const [name, exists, named] of [
  ['claims four billion messages', 4_294_967_295, 1],
  ['names more messages than were asked about', 10_000, 6_000],
] as const)
  test(`a folder that ${name} is refused`, async () => {
    const answer = `* SEARCH ${Array.from({ length: named }, (_, at) => at + 1).join(' ')}\r\n`
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('* OK [CAPABILITY IMAP4rev1] here\r\n')
      createInterface(socket)
        .on('error', () => undefined)
        .on('line', (asked) => {
          const [tag, command] = asked.split(' ')
          const open = `* ${exists} EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 4294967295]\r\n`
          socket.write(`${command === 'EXAMINE' ? open : command === 'UID' ? answer : ''}${tag} OK\r\n`)
        })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const place = { kind: 'imap', host: '127.0.0.1', port, security: 'none', options: {} } as const
    await using connection = await connectImap({ ...place, user: 'team', password: 'secret' })
    await openFolder(connection, 'Archive', { writable: false })
    await assert.rejects(listUids(connection, 1), /lists more folders or messages than Spool can hold/)
    server.close()
  })
