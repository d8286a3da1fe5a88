import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { filtersAs, threadFilters } from '../src/model/thread-filters.ts'
import { listThreadsTool } from '../src/mcp/tools/threads.ts'
import { threadList as pageList } from '../src/http/routes/app/threads.ts'
import { threadList as apiList } from '../src/http/routes/v1/threads.ts'
import type { Db } from '../src/store/db.ts'
import { shapeOf, type ThreadListing } from '../src/store/threads/listing.ts'
import { writePage } from '../src/store/threads/page-sql.ts'
import { scratchFolder } from './support/parts/scratch.ts'

const home = resolve(import.meta.dirname, '..')

const keysOf = (schema: unknown): string[] => Object.keys((schema as { shape: object }).shape)

test('every door has every filter, and no other', () => {
  const filters = Object.keys(threadFilters)
  const paging = ['limit', 'cursor']
  assert.deepEqual(keysOf(apiList.query), [...filters, ...paging])
  assert.deepEqual(keysOf(listThreadsTool.input), [...filters, ...paging, 'format'])
  assert.deepEqual(keysOf(pageList.query), [...filters, ...paging, 'view'])
  assert.deepEqual(Object.keys(filtersAs('argument')), filters)
})

test('PostgreSQL plans a list for three sizes of a page, whatever limits are asked for', () => {
  const listing: ThreadListing = {
    inboxes: [],
    url: '',
    userId: '',
    unread: false,
    statuses: null,
    assignee: undefined,
    from: null,
    search: null,
    updatedSince: null,
  }
  const db = { dialect: 'postgres' } as Db
  const written = Array.from({ length: 100 }, (_, at) =>
    writePage({ ...shapeOf(db, listing, { after: null, limit: at + 2 }), inboxes: [1, 2] }),
  )
  assert.equal(new Set(written).size, 3)
  for (const [at, sql] of written.entries()) {
    const most = [...sql.matchAll(/LIMIT (\d+)/g)].map(([, limit]) => Number(limit))
    assert.ok(most.length === 2 && most.every((limit) => limit >= at + 2), sql)
  }
})

type Edit = [file: string, find: string, put: string]

/** A copy of the sources with some places changed; what the compiler says of it. */
async function compileWith(...edits: Edit[]): Promise<string> {
  const folder = scratchFolder('compile')
  for (const each of ['src', 'package.json', 'tsconfig.json'])
    cpSync(join(home, each), join(folder, each), { recursive: true })
  symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, find, put] of edits) {
    const before = readFileSync(join(folder, file), 'utf8')
    assert.ok(before.includes(find))
    writeFileSync(join(folder, file), before.replace(find, put))
  }
  const tsc = join(home, 'node_modules/.bin/tsc')
  const config = { extends: './tsconfig.json', include: ['src'] }
  writeFileSync(join(folder, 'tsconfig.src.json'), JSON.stringify(config))
  const ran = promisify(execFile)(tsc, ['--noEmit', '-p', 'tsconfig.src.json'], { cwd: folder })
  return ran.then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

test('a filter that is declared but not wired does not compile', async () => {
  const said = await compileWith(
    [
      'src/model/thread-filters.ts',
      'export const threadFilters = {',
      `export const threadFilters = {
  colour: filter({ parameter: z.string().nullable(), argument: z.string().nullable() }),`,
    ],
    [
      'src/store/threads/listing.ts',
      'export interface ThreadListing {',
      'export interface ThreadListing {\n  shade?: string',
    ],
  )
  assert.match(said, /src\/core\/threads\/list\.ts.*error.*colour/s)
  assert.match(said, /src\/store\/threads\/listing\.ts.*error.*shade/s)
})
