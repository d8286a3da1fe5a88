import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { runCommand, type Ran } from '../support/command.ts'
import { databases, freshDatabase } from '../support/databases.ts'
import { makeSealedStore } from '../support/sealed-store.ts'

const isLong = process.env['SPOOL_TEST_LONG'] === '1'
const killer = pathToFileURL(join(import.meta.dirname, 'child/kill-at.ts')).href
const makeSecret = (): string => randomBytes(32).toString('hex')

for (const kind of databases) {
  test(`${kind}: a rotation killed at any step leaves a store that one of the two secrets opens, and is run again`, async (t) => {
    await using database = await freshDatabase(kind)
    const { environment, checkWhole } = await makeSealedStore(database)
    const { SPOOL_SECRET: first, ...rest } = environment
    const inFile = kind === 'sqlite'
    if (inFile) writeFileSync(join(database.folder, 'secret'), `${first}\n`, { mode: 0o600 })
    let known = first!
    const opens = async (secret: string): Promise<boolean> => {
      try {
        await using _spool = await openSpool(readConfig({ ...rest, SPOOL_SECRET: secret }), 'inline')
        return true
      } catch {
        return false
      }
    }
    const rotate = (next: string, killAt: number): Promise<Ran> =>
      runCommand(
        {
          ...rest,
          ...(inFile ? {} : { SPOOL_SECRET: known }),
          ...(killAt === 0 ? {} : { NODE_OPTIONS: `--import=${killer}`, KILL_AT: String(killAt) }),
        },
        ['secret', 'rotate', '--secret-stdin', '--yes'],
        next,
      )
    const ended = { old: 0, new: 0 }
    for (let killAt = isLong ? 1 : 4; ; killAt += isLong ? 1 : inFile ? 2 : 4) {
      const next = makeSecret()
      const { code, stderr } = await rotate(next, killAt)
      if (code === 1) assert.fail(stderr)
      const [isOld, isNew] = [await opens(known), await opens(next)]
      assert.notEqual(isOld, isNew, `killed at step ${killAt}`)
      ended[isNew ? 'new' : 'old']++
      if (isNew) known = next
      // With its file, whoever opens it finds the secret.
      await checkWhole(inFile ? rest : { ...rest, SPOOL_SECRET: known })
      assert.equal(inFile && isNew && existsSync(join(database.folder, 'secret.next')), false)
      if (code === 0) break
    }
    t.diagnostic(`killed at ${ended.old + ended.new - 1} steps, ${ended.new - 1} of them after the commit`)
    assert.ok(ended.old >= 2 && ended.new >= (inFile ? 2 : 1), JSON.stringify(ended))
    // Run again as it was, it finds that it is done.
    const again = makeSecret()
    const before = known
    assert.equal((await rotate(again, 0)).code, 0)
    assert.equal((await rotate(again, 0)).code, 0)
    assert.deepEqual([await opens(before), await opens(again)], [false, true])
    await checkWhole(inFile ? rest : { ...rest, SPOOL_SECRET: again })
  })
}

test('forgetting a secret that is killed at any step is run again, and ends with a store that opens', async () => {
  await using database = await freshDatabase('sqlite')
  const { environment } = await makeSealedStore(database)
  const { SPOOL_SECRET: _, ...rest } = environment
  const file = join(database.folder, 'secret')
  const forget = (killAt: number): Promise<Ran> =>
    runCommand({ ...rest, NODE_OPTIONS: `--import=${killer}`, KILL_AT: String(killAt) }, [
      'secret',
      'forget',
      '--yes',
    ])
  let opened = 0
  for (let killAt = isLong ? 1 : 3; ; killAt += isLong ? 1 : 2) {
    const { code, stderr } = await forget(killAt)
    if (code === 1) assert.match(stderr, /The secret is there and opens the store, so nothing is lost/)
    const opens = await openSpool(readConfig(rest), 'inline', { absent: 'refuse' }).then(
      async (spool) => {
        await spool[Symbol.asyncDispose]()
        return true
      },
      () => false,
    )
    assert.ok(opens || opened === 0, 'once it has a secret, it keeps that')
    if (opens && opened++ === 0) assert.equal(existsSync(file), true)
    if (code === 0) break
    // As if that secret were lost too: the next kill is a step later.
    if (opens) rmSync(file)
    opened = 0
  }
})
