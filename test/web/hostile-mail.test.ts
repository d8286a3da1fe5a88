import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { framePolicy, frameSandbox, writeFrame } from '../../web/src/mail/frame-policy.ts'
import { addressVectors } from '../mail/vectors/addresses.ts'
import { startBrowser } from '../mail/vectors/browser.ts'
import { handlerVectors } from '../mail/vectors/handlers.ts'
import { loadVectors } from '../mail/vectors/loads.ts'
import { mutationVectors } from '../mail/vectors/mutations.ts'
import { armVector, type Vector } from '../mail/vectors/vector.ts'
import { browserMissing, signInAt, visit, watchRequests } from '../support/browser.ts'
import { openDesk } from '../support/desk.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
const perThread = 55

/** A sample of every kind; test/mail/form-harmless.test.ts runs all of them through the normal form. */
const every = [...handlerVectors(), ...addressVectors(), ...mutationVectors(), ...loadVectors()]
const count = long ? 330 : 40
const vectors: Vector[] = every.filter((_, index) => index % Math.floor(every.length / count) === 0)

let browser: Browser
let spool: TestSpool
before(async () => {
  if (browserMissing) return
  browser = await startBrowser()
  spool = await startSpool('sqlite')
})
after(async () => {
  await browser?.close()
  await spool?.[Symbol.asyncDispose]()
})

/** Every message is open and every height measured. */
const allShown = `!document.querySelector('.msg.one-line, iframe.measure') && document.querySelectorAll('.mail-frame iframe').length > 5`

interface Seen {
  hits: number[]
  requests: string[]
  dialogs: number
}

/** Records every script that ran and every request to another host. */
async function watch(page: Page, own: string): Promise<Seen> {
  const seen: Seen = { hits: [], requests: [], dialogs: 0 }
  await page.exposeFunction('tellHit', (id: number) => void seen.hits.push(id))
  await page.addInitScript(
    `addEventListener('message', (event) => typeof event.data === 'number' && tellHit(event.data))`,
  )
  page.on('dialog', (dialog) => {
    seen.dialogs++
    void dialog.dismiss()
  })
  watchRequests(page, own, (url) => seen.requests.push(url))
  return seen
}

test(
  `${vectors.length} hostile mails opened in the page: no script, no request to another host`,
  { skip: browserMissing },
  async () => {
    assert.ok(vectors.length >= count)
    const desk = await openDesk(spool)
    const paths: string[] = []
    for (let at = 0; at < vectors.length; at += perThread) {
      const root = `<${at}@brandt.example>`
      const letters = vectors.slice(at, at + perThread).map((vector, index) => ({
        subject: `Vectors from ${at}`,
        text: 'Words.',
        html: `<b>Mail ${at + index}</b> ${armVector(vector, at + index)}`,
        ...(index === 0 ? { messageId: root } : { inReplyTo: root, references: [root] }),
      }))
      const [first] = await desk.receiveAll(letters)
      paths.push(`/open/${first!.threadId}`)
    }
    await using reader = await visit(spool, { browser, height: 2000 })
    const { page } = reader
    const seen = await watch(page, spool.url)
    await signInAt(spool, reader, desk.user)
    for (const path of paths) {
      await page.goto(path)
      await page.locator('.msg').first().waitFor()
      const earlier = page.getByRole('button', { name: 'Show earlier messages' })
      if (await earlier.isVisible()) {
        await earlier.click()
        await earlier.waitFor({ state: 'detached' })
      }
      // Collapsed mails are opened too.
      await until('every mail in its frame', async () => {
        await page.evaluate(`document.querySelectorAll('.msg.one-line').forEach((each) => each.click())`)
        return page.evaluate<boolean>(allShown)
      })
      assert.ok(page.url().endsWith(path), 'the page stayed where it was')
    }
    assert.deepEqual(seen, { hits: [], requests: [], dialogs: 0 })
    assert.deepEqual(
      reader.problems.filter((problem) => !/Content Security Policy|sandbox/i.test(problem)),
      [],
    )
  },
)

/** Loads documents into frames of the open page, a batch at a time, and waits for the effects. */
async function showRaw(page: Page, documents: readonly string[], sandbox: string | null): Promise<void> {
  for (let at = 0; at < documents.length; at += 60) {
    await page.evaluate(
      `(async (documents, sandbox) => {
        document.querySelectorAll('iframe').forEach((each) => each.remove())
        await Promise.all(documents.map((text) => new Promise((resolve) => {
          const frame = document.createElement('iframe')
          if (sandbox !== null) frame.setAttribute('sandbox', sandbox)
          frame.srcdoc = text
          frame.onload = resolve
          setTimeout(resolve, 400)
          document.body.append(frame)
        })))
        await new Promise((resolve) => setTimeout(resolve, 150))
      })(${JSON.stringify(documents.slice(at, at + 60))}, ${JSON.stringify(sandbox)})`,
    )
  }
}

const raw = vectors.map((vector, id) => armVector(vector, id))
/** Harmful even without a script in the mail. */
const forms = [
  '<form action="http://remote.test/form" target="_top"><input name="a"><button id="b">x</button></form><script>document.forms[0].submit()</script>',
  '<meta http-equiv="refresh" content="0;url=javascript:top.postMessage(9001,String.fromCharCode(42))">',
  '<script>top.location="http://remote.test/away"</script>',
  '<a id="a" href="http://remote.test/away" target="_top">x</a><script>document.getElementById("a").click()</script>',
]

test('the frame alone: no script, no form, no navigation of the page', { skip: browserMissing }, async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await context.route('**/*', (route) =>
    route.request().url() === 'http://inbox.test/'
      ? route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>' })
      : route.fulfill({ status: 204 }),
  )
  const seen = await watch(page, 'http://inbox.test')
  await page.goto('http://inbox.test/')
  await showRaw(page, [...raw, ...forms], frameSandbox)
  assert.deepEqual([seen.hits, seen.dialogs, page.url()], [[], 0, 'http://inbox.test/'])
  assert.deepEqual(
    seen.requests.filter((url) => /form|away/.test(url)),
    [],
  )
  // Without the frame's restrictions it does harm, so the test can fail.
  await showRaw(page, [...raw, '<script>top.postMessage(7001, String.fromCharCode(42))</script>'], null)
  await until('a script that ran', async () => seen.hits.length > 0)
  await context.close()
})

test(
  'the policy alone: no script and nothing loaded from another host',
  { skip: browserMissing },
  async () => {
    assert.match(framePolicy, /default-src 'none'/)
    await using reader = await visit(spool, { browser })
    const { page } = reader
    const seen = await watch(page, spool.url)
    await page.goto('/')
    await page.getByLabel('E-mail').waitFor()
    await showRaw(
      page,
      raw.map((html) => writeFrame('', html)),
      null,
    )
    assert.deepEqual(seen, { hits: [], requests: [], dialogs: 0 })
  },
)
