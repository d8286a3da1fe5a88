import type { Locator, Page } from 'playwright-core'

/** A user who has only the screen: finds controls by their visible text, and counts every interaction. */
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

  /** Fills the field with this label. */
  async fill(label: string, text: string): Promise<void> {
    this.count++
    await this.#page.getByLabel(label, { exact: true }).fill(text)
  }

  async choose(label: string, option: string): Promise<void> {
    this.count++
    await this.#page.getByLabel(label, { exact: true }).selectOption({ label: option })
  }

  /** Presses the button or link with this name. */
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
