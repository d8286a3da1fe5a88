import type { Locator, Page } from 'playwright-core'

/** Somebody who has only the screen: finds things by what stands there, and every touch is counted. */
export class Hand {
  count = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async open(address: string): Promise<void> {
    this.count++
    await this.#page.goto(address)
  }

  /** Into the field with this label. */
  async fill(label: string, text: string): Promise<void> {
    this.count++
    await this.#page.getByLabel(label, { exact: true }).fill(text)
  }

  async choose(label: string, option: string): Promise<void> {
    this.count++
    await this.#page.getByLabel(label, { exact: true }).selectOption({ label: option })
  }

  /** The button or link that says so. */
  async press(name: string): Promise<void> {
    await this.click(
      this.#page
        .getByRole('button', { name, exact: true })
        .or(this.#page.getByRole('link', { name, exact: true })),
    )
  }

  async click(what: Locator): Promise<void> {
    this.count++
    await what.click()
  }

  async type(text: string): Promise<void> {
    this.count++
    await this.#page.keyboard.type(text)
  }
}
