import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft, DraftStatus } from '../../src/model/draft.ts'
import { databases } from '../support/databases.ts'
import { openDesk } from '../support/desk.ts'
import { sendBy, untilStatus } from '../support/outgoing.ts'
import { startCuttingProxy } from '../support/smtp-cut.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { until } from '../support/until.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases)
  test(`${database}: the log says what became of each mail, why and in which inbox, without addresses and subjects`, async () => {
    await using spool = await startSpool(database, { SPOOL_SEND_RETRIES: '1' })
    spool.spool.undoSeconds = 0
    await using sink = await startSmtpSink()
    const desk = await openDesk(spool)
    await sendBy(spool.spool, desk.inbox, sink.port)
    const { threadId: thread } = await desk.receive({ to: desk.inbox.address })
    const page = await signInAs(spool, desk.user)
    const send = async (...statuses: DraftStatus[]): Promise<Draft> => {
      const draft = await page.do<Draft>('POST', '/drafts', { kind: 'reply', threadId: thread, text: 'One' })
      await page.send(draft)
      return untilStatus(() => page.do('GET', `/drafts/${draft.id}`), statuses)
    }
    let refusals = 0
    sink.refuse = (step) => (step === 'data' && ++refusals === 1 ? 451 : null)
    const sent = await send('sent')
    sink.refuse = (step) => (step === 'rcpt' ? 550 : null)
    const failed = await send('failed')
    sink.refuse = () => null
    await using proxy = await startCuttingProxy(sink.port, () => 'dot')
    await sendBy(spool.spool, desk.inbox, proxy.port)
    const unknown = await send('unknown')
    const read = (): Record<string, unknown>[] =>
      spool.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ draft }) => [sent.id, failed.id, unknown.id].includes(String(draft)))
    await until('the last is logged, right after its commit', async () => read().length === 4)
    const lines = read()
    assert.deepEqual(
      lines.map(({ level, draft, inbox, result, msg }) => [level, draft, inbox, result, msg]),
      [
        [40, sent.id, desk.inbox.id, 'waiting', 'a mail was refused and will be tried again'],
        [30, sent.id, desk.inbox.id, undefined, 'a mail was handed to the mail server'],
        [40, failed.id, desk.inbox.id, 'failed', 'a mail was refused and will not be tried again'],
        [40, unknown.id, desk.inbox.id, 'unknown', 'whether a mail was delivered is unknown'],
      ],
    )
    assert.match(String(lines[0]!['reason']), /^451 /)
    assert.match(String(lines[2]!['reason']), /^550 .*No rcpt for …/)
    assert.match(String(lines[3]!['reason']), /^No answer came after the mail was handed over/)
    assert.doesNotMatch(JSON.stringify(lines), /@|has not arrived/)
  })
