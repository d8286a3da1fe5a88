import { mustHold as assert } from '../support/must-hold.ts'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { PictureFetcher } from '../../src/fetch/pictures.ts'
import { Guard } from '../../src/webhook/guard.ts'
import { PictureHost, png } from '../support/picture-host.ts'
import { until } from '../support/until.ts'
import { runIsolated } from './guard/isolated.ts'
import { sized } from './guard/picture-answers.ts'
import { publicAddress } from './guard/targets.ts'

interface Found {
  targets: number
  answers: number
  reached: string[]
  caughtByTargets: string[]
  wrong: string[]
  types: string[]
  caughtByRedirects: string[]
  megabytes: number
  pinned: string[] | null
  caughtPinned: string[]
}

test('no picture comes from where none may be fetched, and nothing that is not a picture', async (t) => {
  const found = await runIsolated<Found>(resolve(import.meta.dirname, 'child/pictures.ts'))
  t.diagnostic(
    `${found.targets} addresses, ${found.answers} answers${found.isolated ? ', in a namespace' : ''}`,
  )
  assert.ok(found.targets >= 40 && found.answers >= 40)
  assert.deepEqual(found.reached, [], 'refused')
  assert.deepEqual(found.caughtByTargets, [])
  assert.deepEqual(found.wrong, [])
  assert.deepEqual(found.types, ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
  assert.deepEqual(found.caughtByRedirects, [], 'no redirect leads where the first address may not')
  assert.ok(found.megabytes < 100, `${found.megabytes} MB of a gigabyte were taken`)
  if (!found.isolated) return
  // The second time the name means this machine.
  assert.equal(found.pinned![0], 'image/png')
  assert.match(found.pinned![1]!, /changes\.example\.test is not a public address/)
  assert.deepEqual(found.caughtPinned, [publicAddress], 'the address checked is the address connected to')
})

const never = new AbortController().signal
const openFetcher = (): PictureFetcher =>
  new PictureFetcher(new Guard({ for: 'fetch', allow: ['127.0.0.1'] }))

test('pictures are kept up to a number of bytes, those used last', async () => {
  const names = ['a', 'b', 'c', 'd']
  await using host = await PictureHost.start(
    Object.fromEntries(names.map((name) => [`/${name}`, sized(9_000_000)])),
  )
  await using fetcher = openFetcher()
  const fetch = (name: string) => fetcher.fetch(`${host.url}/${name}`, never)
  for (const name of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await fetch(name)
  assert.deepEqual(
    host.asked.map(({ path }) => path),
    ['/a', '/b', '/c', '/d', '/b'],
    'b was used longest ago when d came',
  )
})

test('few are fetched at a time, each once for all who wait, and the end of Spool ends them', async () => {
  let open = 0
  const ended: (() => void)[] = []
  const paths = Array.from({ length: 20 }, (_, number) => `/${number}`)
  await using host = await PictureHost.start(
    Object.fromEntries(
      paths.map((path) => [
        path,
        (response) => (open++, ended.push(() => (open--, response.end(png(2, 2))))),
      ]),
    ),
  )
  const fetcher = openFetcher()
  const coming = [...paths, ...paths].map((path) => fetcher.fetch(host.url + path, never))
  const all = Promise.allSettled(coming)
  await until('as many as may be', async () => open === 8)
  for (const end of ended.splice(0)) end()
  await until('the next', async () => open === 8)
  assert.equal(host.asked.length, 16)
  await Promise.all(coming.slice(0, 8))
  await fetcher[Symbol.asyncDispose]()
  assert.equal((await all).filter(({ status }) => status === 'fulfilled').length, 16, 'eight, for two each')
})
