import { chromium, type Browser } from 'playwright-core'
import { requirePart } from './install.ts'

/** For root on a machine without a screen, and without background traffic. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium, with an empty profile that is removed on close: `await using browser = …`. */
export function launchChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: requirePart('chromium'),
    args: [...flags, ...more],
    timeout: 180_000,
  })
}
