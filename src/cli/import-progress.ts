import { SingleBar } from 'cli-progress'
import type { Mailbox } from '../mail/mailbox.ts'
import type { ImportResult } from './import-mail.ts'

interface Progress extends Disposable {
  update(result: Readonly<ImportResult>): void
  report(name: string, trouble: string): void
}

/** A progress bar on a terminal, an occasional line elsewhere; standard output stays clean. */
export function showProgress(mailbox: Mailbox): Progress {
  const started = performance.now()
  const rate = ({ messages, duplicates }: Readonly<ImportResult>): number =>
    Math.round((messages + duplicates) / ((performance.now() - started) / 1000))
  const report = (name: string, trouble: string): void => void process.stderr.write(`${name} ${trouble}\n`)

  if (process.stderr.isTTY && mailbox.bytesTotal !== null) {
    const format = '{bar} {percentage} % | {messages} messages | {rate}/s | {eta_formatted} left'
    const bar = new SingleBar({ format, stream: process.stderr, clearOnComplete: true, etaBuffer: 50 })
    bar.start(mailbox.bytesTotal, 0, { messages: 0, rate: 0 })
    return {
      update: (result) =>
        bar.update(mailbox.bytesRead, { messages: result.messages + result.duplicates, rate: rate(result) }),
      report: (name, trouble) => {
        process.stderr.write('\r\u001b[K')
        report(name, trouble)
      },
      [Symbol.dispose]: () => bar.stop(),
    }
  }
  let last = started
  return {
    update(result) {
      if (performance.now() - last < 5_000) return
      last = performance.now()
      const share = mailbox.bytesTotal
        ? `, ${Math.floor((100 * mailbox.bytesRead) / mailbox.bytesTotal)} %`
        : ''
      process.stderr.write(`${result.messages + result.duplicates} messages${share}, ${rate(result)}/s\n`)
    },
    report,
    [Symbol.dispose]: () => undefined,
  }
}
