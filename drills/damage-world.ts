import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { runCommand } from '../test/support/command.ts'
import { writeMail } from '../test/support/letter.ts'
import { Serving } from '../test/support/serving.ts'
import { until } from '../test/support/until.ts'
import { deliverMail } from './mail.ts'

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** A SQLite store that is damaged in various ways, and what its users and its operator see of it. */
export class World {
  /** Subjects of mail that was acknowledged. */
  acknowledged: string[] = []
  /** The longest time until mail was accepted again, in milliseconds. */
  pause = 0
  readonly env: Record<string, string>
  readonly file: string
  /** Timeout from the repair to the first mail, and from a fault to its report in `/readyz`, in milliseconds. */
  readonly timeout: number
  /** Number of mails that `fillStore` put into the store. */
  readonly #older: number
  #sent = 0

  constructor(env: Record<string, string>, timeout: number, older: number) {
    this.timeout = timeout
    this.#older = older
    // No name server answers there, so sender checks do not hold up mail.
    this.env = { ...env, SPOOL_SMTP_LISTEN: '127.0.0.1:0', SPOOL_NAME_SERVERS: '127.0.0.1' }
    this.file = join(this.env['SPOOL_DATA']!, 'spool.db')
  }

  serve(environment: Record<string, string> = {}): Promise<Serving> {
    return Serving.start({ ...this.env, ...environment })
  }

  /** Returns the server's answer to the first mail that was not accepted; null if all were. */
  async take({ smtpPort }: Serving, count: number, text = 'Where is my order?'): Promise<string | null> {
    for (let n = 0; n < count; n++) {
      const subject = `damage${this.#sent++}drill`
      const said = await deliverMail(smtpPort, writeMail({ subject, text }))
      if (!said.startsWith('250')) return said
      this.acknowledged.push(subject)
    }
    return null
  }

  async mustTake(server: Serving, count: number): Promise<void> {
    const said = await this.take(server, count)
    must(said === null, `mail is refused: ${said}`)
  }

  async goesOn(server: Serving, since: number): Promise<void> {
    await until('mail goes on', async () => (await this.take(server, 1)) === null, this.timeout)
    this.pause = Math.max(this.pause, performance.now() - since)
  }

  /** Checks `/readyz`, where an operator's tools look. */
  async isTold({ url }: Serving, pattern: RegExp): Promise<void> {
    const read = async (): Promise<boolean> => pattern.test(await (await fetch(`${url}/readyz`)).text())
    await until(`/readyz says ${pattern}`, read, this.timeout)
  }

  async isReady({ url }: Serving): Promise<void> {
    await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200, this.timeout)
  }

  /** A backup that would be damaged, or for which there is no space, leaves no file that could pass for one. */
  async refusesBackup(file: string): Promise<void> {
    const { code } = await runCommand(this.env, ['backup', file])
    must(code === 1 && !existsSync(file), 'a bad backup counts')
  }

  /** Mail, older or acknowledged, that is missing from the store. Throws if that is damaged or has a mail twice. */
  lost(file = this.file): string[] {
    const sqlite = new Sqlite(file, { readonly: true })
    try {
      const found = sqlite.pragma('integrity_check', { simple: true })
      must(found === 'ok', `the store is damaged: ${String(found)}`)
      const subjects = sqlite.prepare('SELECT subject FROM messages').pluck().all() as string[]
      const stored = new Set(subjects)
      must(stored.size === subjects.length, 'a mail is stored twice')
      const older = Array.from({ length: this.#older }, (_, n) => `before${n}drill`)
      return [...older, ...this.acknowledged].filter((subject) => !stored.has(subject))
    } finally {
      sqlite.close()
    }
  }

  mustHaveAll(file?: string): void {
    const lost = this.lost(file)
    must(lost.length === 0, `${lost.length} mails are lost`)
  }

  /** Whether the file beside the store has the number of the last event; it is updated within a second. */
  isNoted(): boolean {
    const sqlite = new Sqlite(this.file, { readonly: true })
    const last = sqlite.prepare('SELECT last_seq FROM log').pluck().get() as number
    sqlite.close()
    return Number(readFileSync(`${this.file}-open`, 'utf8')) === last
  }
}
