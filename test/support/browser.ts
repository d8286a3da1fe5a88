import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core'
import { appBase } from '../../src/http/routes/app/table.ts'
import type { User } from '../../src/model/access.ts'
import { checkPrivateAnswer } from './contract.ts'
import { launchChromium } from './parts/chromium.ts'
import { skipWithout } from './parts/install.ts'
import type { TestSpool } from './spool.ts'
import { givePassword, password } from './web-client.ts'

export const browserMissing = skipWithout('chromium')

/** A user at a browser. `problems` collects page errors and requests to other hosts. */
export interface Visitor extends AsyncDisposable {
  page: Page
  context: BrowserContext
  problems: string[]
}

export interface VisitOptions {
  width?: number
  height?: number
  dark?: boolean
  /** A phone: fingers instead of a pointer that hovers. */
  touch?: boolean
  /** The locale for dates and numbers. */
  locale?: string
  timeZone?: string
  /** Off by default: while one takes over a page, requests that a test means to stop with `route` get through. */
  serviceWorker?: boolean
  browser?: Browser
}

export async function visit(spool: Pick<TestSpool, 'url'>, options: VisitOptions = {}): Promise<Visitor> {
  const { width = 1440, height = 900, dark = false, touch = false, locale = 'en-GB' } = options
  const browser = options.browser ?? (await launchChromium())
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    serviceWorkers: options.serviceWorker ? 'allow' : 'block',
    hasTouch: touch,
    isMobile: touch,
    baseURL: spool.url,
    ...(options.timeZone ? { timezoneId: options.timeZone } : {}),
  })
  const slow = Number(process.env['SPOOL_TEST_SLOW'] ?? 0)
  if (slow > 0) await slowDown(context, slow)
  const page = await context.newPage()
  // Only who waits in vain waits that long; a busy machine needs some of it.
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`${error.message}\n${error.stack ?? ''}`))
  page.on('console', (message) => {
    // Chromium also logs failed requests to the console, and service worker scripts that it cannot fetch offline. The
    // page reports both to its user.
    const told = /Failed to load resource|error occurred when fetching the script/
    if (message.type() === 'error' && !told.test(message.text())) problems.push(message.text())
  })
  // A GET request from the page must never get a 400.
  page.on('response', (response) => {
    const wrong = response.status() === 400 && response.request().method() === 'GET'
    // A mail may declare something a picture that is not one.
    if (wrong && !response.url().includes('/attachments/')) problems.push(`400 for ${response.url()}`)
  })
  watchRequests(page, spool.url, (url) => problems.push(`asked ${url}`))
  const answers = watchAnswers(context)
  return {
    page,
    context,
    problems,
    async [Symbol.asyncDispose]() {
      const broken = await answers()
      await context.close()
      if (!options.browser) await browser.close()
      if (broken.length > 0) throw new AggregateError(broken, broken.map(({ message }) => message).join('\n'))
    },
  }
}

/**
 * SPOOL_TEST_SLOW=400 delays each request of the page by up to that many milliseconds, so that responses arrive in a
 * different order than on an idle machine. Use it to find tests (and pages) that depend on the order.
 */
async function slowDown(context: BrowserContext, atMost: number): Promise<void> {
  await context.route(`**${appBase}/**`, async (route) => {
    await setTimeout(Math.random() * atMost)
    await route.fallback().catch(() => undefined)
  })
}

/** Checks every private API response the page gets against the contract. The returned function reports violations. */
function watchAnswers(context: BrowserContext): () => Promise<Error[]> {
  const looks: Promise<void>[] = []
  const broken: Error[] = []
  context.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.startsWith(`${appBase}/`)) looks.push(look(request))
  })
  const look = async (request: Request): Promise<void> => {
    // Also null if the page has been closed in the meantime.
    const response = await request.response().catch(() => null)
    const contentType = response?.headers()['content-type'] ?? null
    if (!response || !contentType?.startsWith('application/json')) return
    // The browser discards the bodies of pages that were left and of refused pictures.
    const text = await response.text().catch(() => null)
    if (text === null || (text === '' && response.headers()['content-length'] !== '0')) return
    try {
      checkPrivateAnswer(request.method(), request.url(), { status: response.status(), contentType, text })
    } catch (error) {
      broken.push(error as Error)
    }
  }
  return async () => {
    await Promise.allSettled(looks)
    return broken
  }
}

/** Reports requests to any other host, except those the browser itself blocked before they left it. */
export function watchRequests(page: Page, own: string, tell: (url: string) => void): void {
  const look = (request: Request): void => {
    const stopped = ['csp', 'origin'].includes(request.failure()?.errorText ?? '')
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== own && !stopped)
      tell(request.url())
  }
  page.on('requestfinished', look)
  page.on('requestfailed', look)
}

/** Signs in through the form. Setting a new password ends the user's other sessions; `keepPassword` avoids that. */
export async function signInAt(
  spool: TestSpool,
  { page }: Visitor,
  user: User,
  path = '/',
  { keepPassword = false } = {},
): Promise<void> {
  if (!keepPassword) await givePassword(spool, user)
  await page.goto(path)
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('nav.rail').waitFor({ state: 'attached' })
}

/** The text of a draft as shown, including signature and quoted mail. Nothing else may be sent. */
export async function shownMail(card: Locator): Promise<{ text: string; subject: string }> {
  // The text is complete once the server has saved it.
  await card.getByText('Saved', { exact: true }).waitFor()
  const tail = card.locator('.tail')
  await tail.waitFor()
  if ((await tail.getAttribute('open')) === null) await tail.locator('summary').click()
  const text = await card.getByLabel('Text of the mail').inputValue()
  const below = (await tail.locator('.mail-text').textContent()) ?? ''
  const subject = await card.getByLabel('Subject').inputValue()
  return { text: `${text.trimEnd()}\n\n${below}`.trim(), subject }
}

/** Only where SPOOL_TEST_PICTURES names a folder: a picture that nobody looks at costs a tenth of a second. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SPOOL_TEST_PICTURES']
  if (!folder) return
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
