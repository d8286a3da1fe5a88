import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { fillDesk } from '../support/sample-desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

let browser: Browser
let spool: TestSpool
before(async () => {
  if (browserMissing) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  await fillDesk(spool)
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

const readers = [
  { locale: 'en-US', time: /^\w+day, \w+ \d+, \d{4} at \d?\d:\d\d\s[AP]M$/, number: '1,739', size: '1.5 MB' },
  { locale: 'en-GB', time: /^\w+day,? \d+ \w+ \d{4} at \d\d:\d\d$/, number: '1,739', size: '1.5 MB' },
  // Not all months are ASCII: März.
  { locale: 'de-DE', time: /^\w+, \d+\. \p{L}+ \d{4} um \d\d:\d\d$/u, number: '1.739', size: '1,5 MB' },
]

test(
  'dates and times are written as the reader’s browser writes them',
  { skip: browserMissing },
  async () => {
    for (const { locale, time } of readers) {
      await using ada = await visit(spool, { browser, locale })
      await signInAt(spool, ada, spool.ada, '/open', { keepPassword: locale !== readers[0]!.locale })
      const newest = ada.page.locator('.row time').first()
      await newest.waitFor()
      assert.match((await newest.getAttribute('title'))!, time, locale)
      assert.deepEqual(ada.problems, [])
    }
  },
)

test('so are numbers and sizes', async (t) => {
  const without = ['C', 'en-US@posix'].map((locale) => ({ ...readers[0]!, locale }))
  for (const { locale, number, size } of [...readers, ...without]) {
    t.mock.getter(navigator, 'language', () => locale)
    const { formatNumber, formatUnit } = await import(`../../web/src/page/locale.ts?${locale}`)
    assert.deepEqual([formatNumber(1739), formatUnit(1.52, 'megabyte', 1)], [number, size], locale)
    t.mock.reset()
  }
})
