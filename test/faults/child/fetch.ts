/** Spool's store and the fetching of its mailboxes until it is killed, without the doors, which take longest to start. */
import { pino } from 'pino'
import { openSpool } from '../../../src/app/open.ts'
import { readConfig } from '../../../src/config.ts'
import { openParsePool } from '../../../src/mail/parse-pool.ts'
import { startFetching } from '../../../src/workers/fetch-mail.ts'
import { MailCounts } from '../../../src/workers/mail-counts.ts'

const spool = await openSpool(readConfig(process.env), 'thread')
const pool = openParsePool({ size: 2 })
const fetching = { spool, pool, log: pino(), counts: new MailCounts(), largestMessage: 50_000_000 }
startFetching(fetching, (error) => void process.stderr.write(`${String(error)}\n`))
process.stdout.write('fetches\n')
setInterval(() => undefined, 1000)
