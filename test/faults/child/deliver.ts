/**
 * Spool's store and its deliveries until it is killed, without the doors, which take longest to start:
 * `deliver.ts AHEAD`, with a clock so many milliseconds ahead. Says "delivers".
 */
import { readConfig } from '../../../src/config.ts'
import { loadSecret } from '../../../src/config/data-folder.ts'
import { deriveKeys, type Spool } from '../../../src/core/spool.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { Courier } from '../../../src/webhook/deliver.ts'
import { Guard } from '../../../src/webhook/guard.ts'
import { startDeliveries } from '../../../src/workers/deliver-webhooks.ts'

const config = readConfig(process.env)
const ahead = Number(process.argv[2] ?? 0)
const spool: Spool = {
  db: await openDatabase({ url: config.databaseUrl, folder: config.dataFolder, writer: 'thread' }),
  keys: deriveKeys(loadSecret(config)),
  url: '',
  now: () => Date.now() + ahead,
  undoSeconds: 10,
  maxMessageBytes: 50_000_000,
  memory: null!,
  readMail: () => Promise.reject(new Error('No mail is read here.')),
  bridge: { command: process.execPath, script: '' },
  checkTarget: async (url) => url,
  fetchPicture: () => Promise.reject(new Error('no picture is asked for here')),
  fetchClientDocument: () => Promise.reject(new Error('no document is asked for here')),
  push: null!,
  noticeMail: null,
  sendOwnMail: null!,
  oauth: null!,
  lookUpProvider: null!,
  oauthClients: config.oauthClients,
  readFile: async () => ({ kind: 'other', text: null, note: null }),
  refold: async () => null,
}
const fail = (error: unknown): void => void process.stderr.write(`${String(error)}\n`)
startDeliveries(spool, {
  courier: new Courier(new Guard({ allow: config.webhookAllow })),
  onAttempt: () => undefined,
  onDisabled: (id, reason) => fail(`${id} was disabled: ${reason}`),
  onFailure: fail,
})
process.stdout.write('delivers\n')
setInterval(() => undefined, 1000)
