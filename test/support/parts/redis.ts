import { chownSync } from 'node:fs'
import { daemonAccount, onFreePort, startDaemon, type Daemon } from './daemon.ts'
import { requirePart } from './install.ts'
import { scratchFolder } from './scratch.ts'

export interface Redis extends Daemon {
  port: number
  url: string
}

/** Writes nothing to disk: Redis is empty after a restart. */
export async function startRedis(): Promise<Redis> {
  const command = requirePart('redis')
  const account = daemonAccount()
  const folder = scratchFolder('redis')
  chownSync(folder, account.uid, account.gid)
  return onFreePort(async (port) => {
    const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' }
    const daemon = await startDaemon({
      command,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      folder,
      account,
      stopSignal: 'SIGTERM',
      quitSignal: 'SIGKILL',
      ready: (log) => log.includes('Ready to accept connections'),
    })
    return { ...daemon, port, url: `redis://127.0.0.1:${port}` }
  })
}
