import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

/** Someone at a browser. What the page throws, and what it asks another host for, is kept. */
export interface Visitor extends AsyncDisposable {
  page: Page
  context: BrowserContext
  problems: string[]
}

export interface VisitOptions {
  width?: number
  height?: number
  dark?: boolean
  /** How the visitor writes dates and numbers. */
  locale?: string
  timeZone?: string
  browser?: Browser
}

export async function visit(spool: Pick<TestSpool, 'url'>, options: VisitOptions = {}): Promise<Visitor> {
  const { width = 1440, height = 900, dark = false, locale = 'en-GB' } = options
  const browser = options.browser ?? (await launchChromium())
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    baseURL: spool.url,
    ...(options.timeZone ? { timezoneId: options.timeZone } : {}),
  })
  const slow = Number(process.env['SPOOL_TEST_SLOW'] ?? 0)
  if (slow > 0) await slowDown(context, slow)
  const page = await context.newPage()
  page.setDefaultTimeout(slow > 0 ? 60_000 : 15_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`${error.message}\n${error.stack ?? ''}`))
  page.on('console', (message) => {
    // A refused request is also written to the console, and so is a service worker that cannot be looked for offline;
    // the page says so to its user.
    const told = /Failed to load resource|error occurred when fetching the script/
    if (message.type() === 'error' && !told.test(message.text())) problems.push(message.text())
  })
  // What the page asks for by itself is never asked wrongly.
  page.on('response', (response) => {
    const wrong = response.status() === 400 && response.request().method() === 'GET'
    // A mail may call something a picture that is none.
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
 * SPOOL_TEST_SLOW=400: each request of the page waits up to so many milliseconds, so that answers come in another order
 * than on a quiet machine. For looking for tests (and pages) that count on the order.
 */
async function slowDown(context: BrowserContext, atMost: number): Promise<void> {
  await context.route(`**${appBase}/**`, async (route) => {
    await setTimeout(Math.random() * atMost)
    await route.fallback().catch(() => undefined)
  })
}

/** What the private routes answer the page is what page and server agreed on; tells what was not. */
function watchAnswers(context: BrowserContext): () => Promise<Error[]> {
  const looks: Promise<void>[] = []
  const broken: Error[] = []
  context.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.startsWith(`${appBase}/`)) looks.push(look(request))
  })
  const look = async (request: Request): Promise<void> => {
    // Null, too, for a page that has been closed meanwhile.
    const response = await request.response().catch(() => null)
    const contentType = response?.headers()['content-type'] ?? null
    if (!response || !contentType?.startsWith('application/json')) return
    // The browser keeps nothing for a page that has been left, nor what a picture was refused with.
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

/** Tells what is asked of any other host; what the browser itself stopped never left it. */
export function watchRequests(page: Page, own: string, tell: (url: string) => void): void {
  const look = (request: Request): void => {
    const stopped = ['csp', 'origin'].includes(request.failure()?.errorText ?? '')
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== own && !stopped)
      tell(request.url())
  }
  page.on('requestfinished', look)
  page.on('requestfailed', look)
}

/** As a person does it: by the form. A new password ends the person's other sessions, unless the one before is kept. */
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

/** What a draft on the screen says, signature and quoted mail included; nothing else may leave. */
export async function shownMail(card: Locator): Promise<{ text: string; subject: string }> {
  // It is complete when the server has it.
  await card.getByText('Saved', { exact: true }).waitFor()
  const tail = card.locator('.tail')
  await tail.waitFor()
  if ((await tail.getAttribute('open')) === null) await tail.locator('summary').click()
  const text = await card.getByLabel('Text of the mail').inputValue()
  const below = (await tail.locator('.mail-text').textContent()) ?? ''
  const subject = await card.getByLabel('Subject').inputValue()
  return { text: `${text.trimEnd()}\n\n${below}`.trim(), subject }
}

/** Where pictures of a run are put: SPOOL_TEST_PICTURES, or the scratch folder. */
export function pictureFolder(): string {
  const folder = process.env['SPOOL_TEST_PICTURES'] ?? join(tmpdir(), 'pictures')
  mkdirSync(folder, { recursive: true })
  return folder
}

export async function takePicture(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.screenshot({ path: join(pictureFolder(), `${name}.png`) })
}
