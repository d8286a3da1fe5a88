import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, startCommand, type Ran } from '../support/command.ts'
import { scratchFolder } from '../support/parts/scratch.ts'

const skip = process.getuid?.() === 0 ? false : 'only root can act as another user'
/** Without an account, as in a container. */
const uid = 54_321

function theirFolder(): string {
  const folder = scratchFolder('theirs')
  chownSync(folder, uid, uid)
  return folder
}

function assertTheirs(folder: string, files: readonly string[]): void {
  assert.deepEqual(readdirSync(folder).toSorted(), files)
  for (const file of files) {
    const { uid: owner, gid } = statSync(join(folder, file))
    assert.deepEqual([owner, gid], [uid, uid], file)
  }
}

const addUser = ['user', 'add', 'ada@shop.example', '--name', 'Ada', '--role', 'admin', '--json']

function assertRan({ code, stderr }: Ran, folder: string): void {
  assert.equal(code, 0, stderr)
  assert.ok(stderr.startsWith(`Running as user ${uid}, to whom ${folder} belongs.\n`), stderr)
}

/** Starts the server as a service manager does, and stops it. */
async function serveAs(uid: number, folder: string): Promise<void> {
  const env = { SPOOL_DATA: folder, SPOOL_PORT: '0', SPOOL_LOG_LEVEL: 'error', SPOOL_DRAIN_SECONDS: '0' }
  using child = startCommand(env, ['serve', '--json'], undefined, '/', uid)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [started] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => assert.fail(said)),
  ])) as [Buffer]
  const { url } = JSON.parse(String(started)) as { url: string }
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  assert.equal(statSync(join(folder, 'spool.db-open')).uid, uid)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

test(
  'what root does in the data folder of another user, the server of that user can open',
  { skip },
  async () => {
    const folder = theirFolder()
    const env = { SPOOL_DATA: folder }
    assertRan(await runCommand(env, addUser), folder)
    assertTheirs(folder, ['secret', 'spool.db'])
    assertRan(await runCommand(env, ['backup', join(folder, 'copy.db')]), folder)
    await serveAs(uid, folder)
    assertTheirs(folder, ['copy.db', 'secret', 'spool.db'])

    const restored = join(theirFolder(), 'new')
    const words = ['restore', join(folder, 'copy.db'), '--secret-file', join(folder, 'secret')]
    assertRan(await runCommand({ SPOOL_DATA: restored }, words), restored)
    assertTheirs(restored, ['secret', 'spool.db'])
    assert.equal(statSync(restored).uid, uid, 'a new folder belongs to whom the folder above it belongs')
  },
)

test('root goes on as root where the store is its own', { skip }, async () => {
  const own = join(scratchFolder('own'), 'data')
  const made = await runCommand({ SPOOL_DATA: own }, addUser)
  assert.deepEqual([made.code, made.stderr], [0, `Made a new store in ${own}.\n`])
  const theirs = join(theirFolder(), 'data')
  mkdirSync(theirs)
  chownSync(theirs, uid, uid)
  for (const file of ['secret', 'spool.db']) copyFileSync(join(own, file), join(theirs, file))
  const listed = await runCommand({ SPOOL_DATA: theirs }, ['user', 'list'])
  assert.deepEqual([listed.code, listed.stderr], [0, ''])
})
