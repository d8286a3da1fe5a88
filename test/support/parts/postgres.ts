import { execFile } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { daemonAccount, onFreePort, startDaemon, type Account, type Daemon } from './daemon.ts'
import { requirePart } from './install.ts'
import { scratchFolder } from './scratch.ts'

export interface Postgres extends Daemon {
  port: number
  /** Connects the superuser to the database `postgres`. */
  url: string
}

/** `durable`: commits survive a kill, as in production. Otherwise the settings favour speed. */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const server = requirePart('postgres')
  const account = daemonAccount()
  const folder = scratchFolder('postgres')
  const data = join(folder, 'data')
  const sockets = join(folder, 'sockets')
  for (const place of [data, sockets]) {
    mkdirSync(place, { mode: 0o700 })
    chownSync(place, account.uid, account.gid)
  }
  await initialise(join(dirname(server), 'initdb'), data, folder, account)
  const relaxed = durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  return onFreePort(async (port) => {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: sockets,
      max_connections: '200',
      // Stored in the data folder, so that what a kill leaves behind is removed with it.
      dynamic_shared_memory_type: 'mmap',
      ...relaxed,
    }
    const daemon = await startDaemon({
      command: server,
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      folder,
      account,
      stopSignal: 'SIGINT',
      quitSignal: 'SIGQUIT',
      ready: (log) => log.includes('database system is ready to accept connections'),
    })
    return { ...daemon, port, url: `postgres://postgres@127.0.0.1:${port}/postgres` }
  })
}

async function initialise(initdb: string, data: string, cwd: string, account: Account): Promise<void> {
  const args = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await promisify(execFile)(initdb, args, {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    ...(process.getuid!() === 0 ? { uid: account.uid, gid: account.gid } : {}),
  })
}
