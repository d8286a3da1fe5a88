/** Spool's store and the worker that tells people, until it is killed; without doors. Says "tells". */
import { openSpool } from '../../../src/app/open.ts'
import { readConfig } from '../../../src/config.ts'
import { startNotices } from '../../../src/workers/deliver-notices.ts'

const spool = await openSpool(readConfig(process.env), 'thread')
startNotices(spool, (error) => void process.stderr.write(`${String(error)}\n`))
process.stdout.write('tells\n')
setInterval(() => undefined, 1000)
