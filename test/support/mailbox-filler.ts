import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeMail } from './letter.ts'
import { daemonAccount } from './parts/daemon.ts'
import type { Dovecot } from './parts/dovecot.ts'
import { sum } from './sources.ts'

/**
 * Writes mail directly into a Maildir, which is far faster than one APPEND each. Returns the hash of each source as the
 * server will send it. Call it before the mailbox is first opened, or later: it writes to `new`, like a delivery.
 */
export function fillMaildir(
  { folder }: Pick<Dovecot, 'folder'>,
  user: string,
  count: number,
  { from = 0, size = 0 }: { from?: number; size?: number } = {},
): string[] {
  const { uid, gid } = daemonAccount()
  const home = join(folder, 'mail', user)
  const maildir = join(home, 'Maildir')
  for (const place of [home, maildir, ...['cur', 'new', 'tmp'].map((name) => join(maildir, name))]) {
    mkdirSync(place, { recursive: true })
    chownSync(place, uid, gid)
  }
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    const raw = writeMail({
      subject: `box${number}`,
      messageId: `<${number}@maildir.example>`,
      date: 1_760_000_000_000 + number * 1000,
      text: `Message ${number} of ${user}. ${'x'.repeat(size)}`,
    })
    const file = join(maildir, 'new', `${1_760_000_000 + number}.M${number}P1.test`)
    writeFileSync(file, raw)
    chownSync(file, uid, gid)
    return sum(raw)
  })
}
