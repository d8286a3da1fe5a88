import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { anyHtml } from '../support/any-form.ts'
import { browserMissing } from '../support/browser.ts'
import { isLongRun, needsCorpora } from '../support/corpora.ts'
import { hiddenWays } from '../support/hidden-ways.ts'
import { openInboxJudge, settings, type InboxJudge } from '../support/inbox-judge.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { quirkyPages, siblingGrounds } from '../mail/hidden/grounds.ts'
import { shown } from '../mail/hidden/shown.ts'
import { ways as ownWays } from '../mail/hidden/ways.ts'
import { ordinaryMail } from '../mail/ordinary-mail.ts'

const { ways, visible } = await hiddenWays()
const skip = browserMissing

let browser: Browser
let spool: TestSpool
let judge: InboxJudge
before(async () => {
  if (skip) return
  browser = await launchChromium()
  spool = await startSpool('sqlite')
  judge = await openInboxJudge(spool, browser)
})
after(async () => {
  await judge?.[Symbol.asyncDispose]()
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

/** In the long run all, each at every setting; else a tenth, each at the next one. */
async function judgeSome(mails: Record<string, string>): Promise<void> {
  const chosen = Object.entries(mails).filter((_, at) => isLongRun || at % 10 === 3)
  const untrue: string[] = []
  for (const [at, [name, html]] of chosen.entries()) {
    const { threadId } = await spool.receive({ subject: name, html, text: 'Words.' })
    const found = await judge.judge(threadId, isLongRun ? settings : [settings[(3 * at) % 8]!])
    untrue.push(...found.map((each) => `${name} at ${each}`))
  }
  assert.deepEqual(untrue, [])
}

const sets = {
  'ways of hiding': ownWays,
  'text that only looks hidden': shown,
  'ordinary mail': ordinaryMail,
  'grounds of siblings': siblingGrounds,
  'pages without a doctype': quirkyPages,
}

for (const [name, mails] of Object.entries(sets))
  test(`what REST says is what the frame shows: ${name}`, { skip }, () => judgeSome(mails))

test(
  'what REST says is what the frame shows: ways tried from outside',
  {
    skip: skip || needsCorpora.skip,
  },
  async () => {
    await judgeSome(ways)
    await judgeSome(visible)
  },
)

test('what REST says is what the frame shows: styles known and invented', { skip }, async () => {
  const untrue: string[] = []
  const all = fc.sample(anyHtml, { numRuns: isLongRun ? 300 : 20 })
  for (const [at, html] of all.entries()) {
    const { threadId } = await spool.receive({
      subject: `${at}`,
      html: `<p>Begin</p>${html}`,
      text: 'Words.',
    })
    const found = await judge.judge(threadId, [settings[at % 8]!], false)
    untrue.push(...found.map((each) => `${each}\n${html}`))
  }
  assert.deepEqual(untrue, [])
})
