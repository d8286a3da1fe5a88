/** How mail comes in. */
export type MailDoor = 'imap' | 'smtp' | 'lmtp'

/** What the mail workers have done since start-up, for `/metrics`. */
export class MailCounts {
  /** Messages stored, by door. */
  readonly received: Record<MailDoor, number> = { imap: 0, smtp: 0, lmtp: 0 }
  /** Mail refused or deferred by the listeners, by reason. */
  readonly refused: Record<string, number> = {}
  /** IMAP messages that were skipped: too large, or not handed over by the server. */
  readonly passedOver: Record<string, number> = {}
  /** By inbox id: connections that failed or broke. */
  readonly failures: Record<string, number> = {}
  /** By inbox id: 1 while this node follows its mailbox. */
  readonly connected: Record<string, number> = {}
  /** By inbox id: 1 while its provider refuses the sign-in. */
  readonly refusedGrants: Record<string, number> = {}
  /** Messages of the first sync and how many are done, by inbox id and folder. */
  readonly #history = new Map<string, Map<string, { total: number; done: number }>>()

  noteHistory(inbox: string, folder: string, total: number, done: number): void {
    const folders = this.#history.get(inbox) ?? new Map<string, { total: number; done: number }>()
    this.#history.set(inbox, folders.set(folder, { total, done }))
  }

  /** Summed over all folders of each inbox. */
  history(what: 'total' | 'done'): Record<string, number> {
    const sums = [...this.#history].map(([inbox, folders]) => {
      const sum = [...folders.values()].reduce((sum, folder) => sum + folder[what], 0)
      return [inbox, sum] as const
    })
    return Object.fromEntries(sums)
  }

  add(counts: Record<string, number>, name: string): void {
    counts[name] = (counts[name] ?? 0) + 1
  }
}
