import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { startConversation } from '../../src/core/drafts/compositions.ts'
import { listDrafts } from '../../src/core/drafts/drafts.ts'
import { readLetter, sendDraft } from '../../src/core/sending/sending.ts'
import { signIn } from '../../src/core/access/sessions.ts'
import { changeUser } from '../../src/core/people/people.ts'
import { mustHold } from '../support/must-hold.ts'
import { startNode } from '../support/nodes.ts'
import { passTime, sendBy } from '../support/outgoing.ts'
import { skipWithout } from '../support/parts/install.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { startSpool } from '../support/spool.ts'
import { password, seal } from '../support/web-client.ts'

const count = process.env['SPOOL_TEST_LONG'] === '1' ? 500 : 50
const skip = skipWithout('postgres') ?? false

test(`postgres: two nodes, ${count} drafts due at once: each is sent once`, { skip }, async () => {
  await using sink = await startSmtpSink()
  await using one = await startSpool('postgres')
  const { spool, inbox, ada } = one
  await sendBy(spool, inbox, sink.port)
  await changeUser(spool, ada.email, { password })
  const { actor } = await signIn(spool, ada.email, password)
  for (let n = 0; n < count; n++) {
    const words = { inboxId: inbox.id, to: ['carla@brandt.example'], subject: `mail ${n}`, text: 'Hello' }
    const { id } = await startConversation(spool, actor, words)
    spool.undoSeconds = 3600
    await sendDraft(spool, actor, {
      draftId: id,
      revision: 1,
      seal: seal(await readLetter(spool, actor, id)),
    })
  }
  await using other = await startNode(one.database)
  mustHold.equal(sink.mails.length, 0, 'all of them can still be taken back')
  // A node has at most eight under way: the ninth is the other's.
  const both = Promise.withResolvers<void>()
  let underWay = 0
  sink.deliver = async () => {
    if (++underWay > 8) both.resolve()
    await both.promise
  }
  await passTime(spool)
  for (;;) {
    const filters = { threadId: null, statuses: ['scheduled', 'sending'] as const }
    if ((await listDrafts(spool, actor, filters)).data.length === 0) break
    await sleep(100)
  }
  const subjects = sink.mails.map(({ source }) => /^Subject: (.*)$/m.exec(source)![1]!.trim())
  mustHold.deepEqual(subjects.toSorted(), Array.from({ length: count }, (_, n) => `mail ${n}`).toSorted())
  const ended = await listDrafts(
    spool,
    actor,
    { threadId: null, statuses: null },
    { cursor: null, limit: count },
  )
  mustHold.deepEqual(new Set(ended.data.map(({ status }) => status)), new Set(['sent']))
  for (const { log } of [one, other])
    mustHold.ok(
      log.some((line) => line.includes('handed to the mail server')),
      'both took part',
    )
})
