import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../src/config.ts'
import { startApp } from '../src/app.ts'
import { addInbox } from '../src/core/inboxes/inboxes.ts'
import { forgetOldEvents } from '../src/core/log/events.ts'
import { addUser } from '../src/core/people/people.ts'
import { receiveMail } from '../src/core/receiving/receive.ts'
import { createToken } from '../src/core/tokens/tokens.ts'
import { parseMail } from '../src/mail/parse.ts'
import { scopes } from '../src/model/access.ts'
import { writeMail } from './support/letter.ts'
import { scratchFolder } from './support/parts/scratch.ts'

const home = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** Blocks marked ```sh run in the guides. */
function snippets(): { file: string; code: string }[] {
  return globSync('docs/*.md', { cwd: home }).flatMap((file) => {
    const text = readFileSync(join(home, file), 'utf8')
    return [...text.matchAll(/^```sh run\n(.*?)^```/gms)].map((match) => ({ file, code: match[1]! }))
  })
}

test('the commands in the guides work as they stand', async (context) => {
  const folder = scratchFolder('snippets')
  for (const name of ['package.json', 'bin', 'src', 'examples', 'node_modules'])
    symlinkSync(join(home, name), join(folder, name))
  writeFileSync(
    join(folder, 'mail.mbox'),
    `From carla@brandt.example Sat Nov 14 09:30:00 2026\n${writeMail({}).replaceAll('\r\n', '\n')}\n`,
  )
  const env = { SPOOL_DATA: join(folder, 'data'), SPOOL_PORT: '0' }
  await using app = await startApp(readConfig({ ...env, SPOOL_LOG_LEVEL: 'silent' }))
  const inbox = await addInbox(app.spool, 'support@example.com', null)
  // As in any Spool that is older than the events it keeps.
  const mail = await parseMail(Buffer.from(writeMail({})))
  const usual = { direction: 'inbound', envelopeDate: null, seen: false, quiet: false } as const
  await receiveMail(app.spool, inbox, [{ mail, ...usual }])
  assert.ok((await forgetOldEvents(app.spool, -1)) > 0)
  await addUser(app.spool, {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
    inboxes: [],
    password: null,
  })
  const { token } = await createToken(app.spool, {
    email: 'ada@example.com',
    name: 'Docs',
    scopes,
    inboxes: [],
    lifetime: null,
  })

  const found = snippets()
  assert.ok(found.length >= 8, 'the guides have snippets to run')
  for (const { file, code } of found) {
    await context.test(`${file}: ${code.split('\n')[0]}`, async () => {
      const { stdout } = await run(
        'bash',
        ['-euo', 'pipefail', '-c', code.replaceAll('curl ', 'curl --fail ')],
        {
          cwd: folder,
          env: { ...process.env, ...env, SPOOL_TOKEN: token, SPOOL_URL: app.url },
        },
      )
      assert.notEqual(stdout.trim(), '')
    })
  }
})
