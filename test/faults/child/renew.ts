/** Renews stored mail until it is killed, without the doors, which take longest to start. Says "renews". */
import { openSpool } from '../../../src/app/open.ts'
import { readConfig } from '../../../src/config.ts'
import { startRenewingMail } from '../../../src/workers/renew-mail.ts'

const spool = await openSpool(readConfig(process.env), 'thread')
startRenewingMail(
  spool,
  { info: () => undefined },
  (error) => void process.stderr.write(`${String(error)}\n`),
)
process.stdout.write('renews\n')
setInterval(() => undefined, 1000)
