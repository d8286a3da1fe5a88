/** A whole server until it is killed: `serve.ts AHEAD`, with a clock so many milliseconds ahead. Says where it listens. */
import { pino } from 'pino'
import { startApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'

const ahead = Number(process.argv[2] ?? 0)
const app = await startApp(readConfig({ ...process.env, SPOOL_PORT: '0' }), pino({ level: 'silent' }))
app.spool.now = () => Date.now() + ahead
process.stdout.write(`${app.url}\n`)
