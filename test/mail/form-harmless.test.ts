import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { readHtml } from '../../src/mail/normal-form.ts'
import { addressVectors } from './vectors/addresses.ts'
import { noBrowser, observeCleaned, observeRaw, startBrowser } from './vectors/browser.ts'
import type { Allowed, Observed } from './vectors/browser.ts'
import { clobberingVectors } from './vectors/clobbering.ts'
import { handlerVectors } from './vectors/handlers.ts'
import { loadVectors } from './vectors/loads.ts'
import { mixedVectors } from './vectors/mixtures.ts'
import { mutationVectors } from './vectors/mutations.ts'
import { armVector } from './vectors/vector.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const inlineImage = (contentId: string) => `/api/v1/attachments/${encodeURIComponent(contentId)}`

const writtenVectors = [
  ...handlerVectors(),
  ...addressVectors(),
  ...mutationVectors(),
  ...loadVectors(),
  ...clobberingVectors(),
]
const everyVector = [...writtenVectors, ...mixedVectors(long ? 6000 : 600, 20_261_115)]

const writeHtml = (html: string) => readHtml(html, inlineImage).writeHtml(() => true)

/** What may be in the form as the browser sees it, written down apart from the code under test. */
const allowed: Allowed = {
  elements: (
    'html head body style a b blockquote br code div h1 h2 h3 h4 h5 h6 hr i img li ol p s span sub sup table tbody ' +
    'td tr u ul wbr'
  ).split(' '),
  attributes:
    'alt cellpadding class colspan data-remote-src dir height href rel rowspan src start target value width'.split(
      ' ',
    ),
}

/** The numbers of the vectors that an observation names. */
function caught(seen: Observed): Set<number> {
  const requested = seen.requests.map((url) => Number(/v(\d+)/.exec(url)?.[1] ?? Number.NaN))
  return new Set([...seen.hits, ...requested, ...seen.clobbered].filter((id) => !Number.isNaN(id)))
}

const skip = noBrowser
const timeout = long ? 1_800_000 : 240_000

describe('hostile HTML in Chromium', () => {
  let browser!: Browser
  before(async () => {
    if (!skip) browser = await startBrowser()
  })
  after(async () => {
    if (!skip) await browser.close()
  })

  const cleaned = everyVector.map((vector, id) => ({
    id,
    html: writeHtml(armVector(vector, id)),
  }))

  function assertHarmless(seen: Observed): void {
    const names = (ids: Iterable<number>) => [...ids].map((id) => everyVector[id]?.name ?? id)
    assert.deepEqual(names(seen.hits), [], 'scripts ran')
    assert.deepEqual(names(seen.clobbered), [], 'names were taken')
    assert.deepEqual(
      seen.problems.map(({ id, problem }) => [everyVector[id]?.name, problem]),
      [],
    )
    const foreign = seen.requests.filter((url) => !url.startsWith('http://inbox.test/api/v1/attachments/'))
    const vectorOf = (url: string) => everyVector[Number(/v(\d+)/.exec(url)?.[1])]?.name
    assert.deepEqual(
      foreign.map((url) => [url, vectorOf(url)]),
      [],
    )
    assert.equal(seen.dialogs, 0)
  }

  test(
    `${everyVector.length} vectors, sanitised, in shared pages: nothing runs and nothing loads`,
    { skip, timeout },
    async () => {
      assert.ok(everyVector.length >= 500)
      assertHarmless(await observeCleaned(browser, cleaned, allowed, false))
    },
  )

  test('the same, each in a document of its own', { skip, timeout }, async () => {
    const tried = cleaned.filter(({ id }) => id % (long ? 4 : 32) === 3)
    assertHarmless(await observeCleaned(browser, tried, allowed, true))
  })

  test('the vectors as they are do harm, so the tests above can fail', { skip, timeout }, async () => {
    const sample = writtenVectors.map((vector, id) => ({ id, html: armVector(vector, id) }))
    const tried = long ? sample : sample.filter(({ id }) => id % 11 === 0)
    const harmful = caught(await observeRaw(browser, tried))
    const quiet = tried.filter(({ id }) => !harmful.has(id)).map(({ id }) => everyVector[id]!.name)
    const share = 1 - quiet.length / tried.length
    assert.ok(
      share >= 0.75,
      `only ${Math.round(share * 100)} % of ${tried.length} fire; quiet: ${quiet.join('\n')}`,
    )
  })
})
