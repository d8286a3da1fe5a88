import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { oneDatabase } from '../support/databases.ts'
import { launchChromium } from '../support/parts/chromium.ts'
import { PictureHost, png } from '../support/picture-host.ts'
import { pixel } from '../support/sample-desk.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'

let browser: Browser
before(async () => {
  if (!browserMissing) browser = await launchChromium()
})
after(async () => browser?.close())

for (const database of oneDatabase(1))
  test(
    `${database}: inline images are shown in the mail; files that only claim to be images are not`,
    { skip: browserMissing },
    async () => {
      await using spool = await startSpool(database)
      const { threadId } = await spool.receive({
        subject: 'With our logo',
        text: 'Our logo',
        html: '<h2>Our logo</h2><img src="cid:logo@brandt.example" alt="Logo"><img src="cid:page@brandt.example" alt="Page"><img src="cid:nowhere@brandt.example" alt="Nowhere">',
        attachments: [
          {
            filename: 'logo.png',
            type: 'image/png',
            content: Buffer.from(pixel, 'base64'),
            contentId: 'logo@brandt.example',
          },
          {
            filename: 'page.png',
            type: 'image/png',
            content: '<script>top.document.title = "mine"</script>',
            contentId: 'page@brandt.example',
          },
        ],
      })
      await using ada = await visit(spool, { browser })
      const { page } = ada
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      const mail = page.frameLocator('.mail-frame iframe')
      const pictures = mail.locator('img')
      const source = (): Promise<string | null> => pictures.first().getAttribute('src')
      await until('the logo', async () => (await source())?.startsWith('data:image/png;base64,'))
      // A script of the page cannot look into the frame; the browser's own debugger can.
      const width = (): Promise<number> =>
        pictures.first().evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
      await until('it is drawn', async () => (await width()) === 5)
      assert.equal(await pictures.count(), 1, 'nothing stands for a picture that is not there')
      // What a picture says stands beside it, for people as for agents.
      for (const label of ['Logo', 'Page', 'Nowhere']) await mail.getByText(`[picture: ${label}]`).waitFor()
      // It stands in the mail, so it is no file beside it.
      await page.getByText('page.png').waitFor()
      assert.equal(await page.getByText('logo.png').count(), 0)
      assert.doesNotMatch(await page.title(), /mine/)
      assert.deepEqual(ada.problems, [])
    },
  )

test('all inline images of a mail are shown, however many there are', { skip: browserMissing }, async () => {
  await using spool = await startSpool('sqlite')
  const ids = Array.from({ length: 60 }, (_, at) => `photo${at}@brandt.example`)
  const { threadId } = await spool.receive({
    subject: 'Our photos',
    html: `<p>Photos</p>${ids.map((id) => `<img src="cid:${id}" alt="">`).join('')}`,
    attachments: ids.map((contentId, at) => ({
      filename: `photo${at}.png`,
      type: 'image/png',
      content: Buffer.from(pixel, 'base64'),
      contentId,
    })),
  })
  await using ada = await visit(spool, { browser })
  await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
  const shown = ada.page.frameLocator('.mail-frame iframe').locator('img[src^="data:image/png"]')
  await until('all are shown', async () => (await shown.count()) === ids.length)
})

test(
  'a mail laid out for a wide screen fits a narrow one, with letters as large as they were',
  { skip: browserMissing },
  async () => {
    await using spool = await startSpool('sqlite')
    const cell =
      '<td width="560" style="padding:20px"><h2>The autumn letter</h2><p>Grain, glue and patience.</p></td>'
    const { threadId } = await spool.receive({
      subject: 'The autumn letter',
      html: `<table width="600"><tr>${cell}</tr></table>`,
    })
    await using ada = await visit(spool, { browser, width: 390, height: 844 })
    await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
    const mail = ada.page.frameLocator('.mail-frame iframe')
    await until('it fits', () =>
      mail
        .locator('html')
        .evaluate(
          (root) =>
            root.querySelector('h2') !== null &&
            root.scrollWidth <= root.clientWidth &&
            root.scrollHeight <= root.clientHeight,
        ),
    )
    const size = await mail.locator('p').evaluate((each) => {
      const view = each.ownerDocument.defaultView!
      return (
        Number.parseFloat(view.getComputedStyle(each).fontSize) *
        Number(view.getComputedStyle(each.ownerDocument.body).zoom)
      )
    })
    assert.ok(size >= 12, `${size} pixels`)
    assert.deepEqual(ada.problems, [])
  },
)

for (const width of [1280, 390])
  test(
    `remote pictures come from Spool alone, and the mail fits ${width} pixels as before`,
    { skip: browserMissing },
    async () => {
      await using host = await PictureHost.start({
        '/wide.png': png(1600, 700),
        '/cell.png': png(900, 300),
        '/space.png': png(1, 1),
        '/page.png': Buffer.from('<!doctype html><script>top.document.title = "mine"</script>'),
      })
      await using spool = await startSpool('sqlite', { SPOOL_FETCH_ALLOW: '127.0.0.1' })
      const { threadId } = await spool.receive({
        subject: 'The catalogue',
        html: `<table width="600"><tr><td><img src="${host.url}/wide.png" width="1600" height="700" alt="The workshop"></td></tr>
          <tr><td><img src="${host.url}/space.png" width="1" height="30"><img src="${host.url}/cell.png"></td></tr></table><p>Words below.</p><img src="${host.url}/page.png" alt="None">`,
      })
      await using ada = await visit(spool, { browser, width, height: 844 })
      const { page } = ada
      const origins = new Set<string>()
      page.on('request', (request) => {
        if (/^(?!data:)/.test(request.url())) origins.add(new URL(request.url()).origin)
      })
      await signInAt(spool, ada, spool.ada, `/open/${threadId}`)
      const mail = page.frameLocator('.mail-frame iframe')
      const fits = (): Promise<boolean> =>
        mail
          .locator('html')
          .evaluate((root) => root.scrollWidth <= root.clientWidth && root.scrollHeight <= root.clientHeight)
      await mail.getByText('[picture: The workshop]').waitFor()
      await until('it fits without pictures', fits)
      const boxes = await mail
        .locator('img')
        .evaluateAll((images) => images.map((image) => image.getBoundingClientRect().height))
      assert.ok(Math.max(...boxes) < 100, `no large empty places: ${boxes.join()}`)
      assert.deepEqual(host.asked, [], 'nothing is loaded before')

      await page.getByRole('button', { name: 'Show pictures' }).click()
      await page.getByText("1 picture couldn't be loaded").waitFor()
      const widths = (): Promise<number[]> =>
        mail
          .locator('img')
          .evaluateAll((images) =>
            images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
          )
      await until('the pictures', async () => (await widths()).join() === '1600,900,0')
      await until('it fits with them', fits)
      // As tall as its content: nothing is cut off, and no fixed height is left empty below.
      const heights = await mail
        .locator('body')
        .evaluate((body) => [body.ownerDocument.documentElement.clientHeight, body.scrollHeight])
      assert.ok(heights[0]! - heights[1]! < 24, `${heights.join(' and ')} pixels`)
      // Its words are the caption below it.
      const caption = mail.getByText('[picture: The workshop]')
      const below = await caption.evaluate((box) => {
        const range = box.ownerDocument.createRange()
        range.selectNodeContents(box.lastChild!)
        const image = box.querySelector('img')!.getBoundingClientRect()
        return range.getBoundingClientRect().top - image.bottom
      })
      assert.ok(below >= 0, `${below} pixels below`)
      await mail.getByText('[picture: None]').waitFor()
      assert.deepEqual([...origins], [spool.url])
      assert.deepEqual(host.asked.map(({ path }) => path).toSorted(), ['/cell.png', '/page.png', '/wide.png'])
      assert.doesNotMatch(await page.title(), /mine/)
      assert.deepEqual(ada.problems, [])
    },
  )
