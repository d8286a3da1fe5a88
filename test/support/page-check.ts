import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { takePicture } from './browser.ts'

/** Navigates within the page, as a link does. Other tests load each page directly by its URL. */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
}

/** Takes a screenshot and returns every fault of the page in its current state. */
export async function examine(page: Page, name: string): Promise<string[]> {
  await takePicture(page, name)
  const faults = (await page.evaluate(findFaults)) as string[]
  return [...faults, ...(await runAxe(page))].map((fault) => `${name}: ${fault}`)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function runAxe(page: Page): Promise<string[]> {
  // Through the debugger: the page's CSP does not allow such a script.
  if (!(await page.evaluate(`typeof axe !== 'undefined'`))) await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { iframes: false, resultTypes: ['violations'] })`,
  )) as { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Runs in the page: finds elements that overflow to the side, are clipped, or cannot be reached. */
const findFaults = `(() => {
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push('the page is ' + (root.scrollWidth - innerWidth) + ' px too wide')
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const name = (element) => element.tagName + '.' + element.className + ' "' + (element.textContent || '').slice(0, 40) + '"'
  const scrolls = (element) => {
    for (let each = element.parentElement; each; each = each.parentElement)
      if (/auto|scroll/.test(getComputedStyle(each).overflowY + getComputedStyle(each).overflowX)) return true
    return false
  }
  for (const element of document.querySelectorAll('button, a, input, select, textarea, summary')) {
    if (!shown(element) || element.closest('.hidden, .pick')) continue
    const box = element.getBoundingClientRect()
    if (box.width === 0 || box.height === 0) continue
    if (box.left < -1 || box.right > innerWidth + 1) faults.push('to the side: ' + name(element))
    else if ((box.bottom < 0 || box.top > innerHeight) && !scrolls(element)) faults.push('out of sight: ' + name(element))
  }
  for (const element of document.querySelectorAll('button, .chip, h1, h2, label, p, summary, .mail-text')) {
    if (!shown(element) || element.closest('.hidden')) continue
    const style = getComputedStyle(element)
    const cut = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible' && style.overflowX !== 'auto'
    if (cut && style.textOverflow !== 'ellipsis') faults.push('clipped: ' + name(element))
  }
  return faults
})()`
