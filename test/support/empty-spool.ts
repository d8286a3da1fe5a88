import { pino } from 'pino'
import { startApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { freshDatabase, type DatabaseKind } from './databases.ts'

/** Spool as after its first start: no users, no inboxes. */
export async function startEmpty(kind: DatabaseKind): Promise<{ app: App } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await freshDatabase(kind))
  const config = readConfig({ ...database.env, SPOOL_PORT: '0', SPOOL_UNDO_SECONDS: '2' })
  const app = stack.use(await startApp(config, pino({ level: 'silent' })))
  const all = stack.move()
  return { app, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
