import { chromium, type Browser } from 'playwright-core'
import { requirePart } from './install.ts'

/** Of a root user's machine without a screen; nothing that calls home in the background. */
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

/** Debian's, with an empty profile that is removed when it closes: `await using browser = …`. */
export function launchChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: requirePart('chromium'), args: [...flags, ...more] })
}
