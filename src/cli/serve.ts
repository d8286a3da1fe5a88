import { once } from 'node:events'
import type { Command } from 'commander'
import { startApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { withJson, type Environment } from './command.ts'

export function addServe(program: Command, environment: Environment): void {
  withJson(program.command('serve').description('the server: all doors and workers')).action(
    async (options: { json?: boolean }) => {
      const stop = stopSignal()
      await using app = await startApp(readConfig(environment))
      process.stdout.write(
        options.json ? `${JSON.stringify({ url: app.url })}\n` : `Spool listens at ${app.url}\n`,
      )
      await untilStopped(stop)
    },
  )
}

/** Aborted by Ctrl+C, the service manager's wish or the terminal's end; listens from now on. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

export async function untilStopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort')
}
