import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { importMail } from '../../src/cli/import-mail.ts'
import { defaultLimits } from '../../src/mail/limits.ts'
import { openMailbox, type Mailbox } from '../../src/mail/mailbox.ts'
import type { MailItem } from '../../src/mail/mailbox/mail-item.ts'
import { databases } from '../support/databases.ts'
import { startSpool, type TestSpool } from '../support/spool.ts'

const corpora = process.env['SPOOL_CORPORA']
const skip = corpora ? false : 'SPOOL_CORPORA is not set'

/** Message-ID → thread, read page by page through the API. */
async function groupsOf(spool: TestSpool): Promise<Map<string, string>> {
  const groups = new Map<string, string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await spool.get(`/api/v1/threads?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const page: { data: { id: string }[]; nextCursor: string | null } = answer.json()
    for (const { id } of page.data) {
      let history: string | null = ''
      while (history !== null) {
        const thread: {
          history: { type: string; messageId?: string | null }[]
          historyNextCursor: string | null
        } = (
          await spool.get(`/api/v1/threads/${id}${history === '' ? '' : `?historyCursor=${history}`}`)
        ).json()
        for (const entry of thread.history)
          if (entry.type === 'message' && entry.messageId) groups.set(entry.messageId, id)
        history = thread.historyNextCursor
      }
    }
    cursor = page.nextCursor
  }
  return groups
}

/** Agreement of two groupings of the same things, 1 for equal and 0 for chance. */
function adjustedRandIndex(pairs: readonly (readonly [string, string])[]): number {
  const choose2 = (n: number): number => (n * (n - 1)) / 2
  const count = (keys: string[]): number => {
    const sizes = new Map<string, number>()
    for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1)
    return [...sizes.values()].reduce((sum, size) => sum + choose2(size), 0)
  }
  const both = count(pairs.map(([a, b]) => `${a} ${b}`))
  const [left, right] = [count(pairs.map(([a]) => a)), count(pairs.map(([, b]) => b))]
  const expected = (left * right) / choose2(pairs.length)
  return (both - expected) / ((left + right) / 2 - expected)
}

/** Every so manieth thread of the other server: a tenth of 10,000 messages, and all of them in a long run. */
const every = process.env['SPOOL_TEST_LONG'] === '1' ? 1 : 10

async function* pick(mailbox: Mailbox, ids: ReadonlySet<string>): AsyncGenerator<MailItem> {
  for await (const item of mailbox) {
    assert.ok('raw' in item)
    const id = /^message-id:\s*<([^>]*)>/im.exec(Buffer.from(item.raw).toString('latin1'))?.[1]
    if (id !== undefined && ids.has(id)) yield item
  }
}

test('threads of a real mailing list agree with those of an IMAP server', { skip }, async (context) => {
  await using spool = await startSpool('sqlite')
  const theirs = readFileSync(join(corpora!, 'git-2005.dovecot-refs.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; g: string })
    .filter(({ g }) => Number(g) % every === 0)
  const mailbox = pick(
    await openMailbox(join(corpora!, 'git-2005.mbox.gz')),
    new Set(theirs.map(({ id }) => id)),
  )
  const result = await importMail(spool.spool, spool.inbox, mailbox, { asRead: true, limits: defaultLimits })
  assert.equal(result.messages + result.duplicates, theirs.length)
  assert.equal(result.failed, 0)

  const ours = await groupsOf(spool)
  const pairs = theirs.flatMap(({ id, g }) => {
    const thread = ours.get(`<${id}>`)
    return thread ? [[thread, g] as const] : []
  })
  const index = adjustedRandIndex(pairs)
  context.diagnostic(
    `${pairs.length} messages, ${result.threads} threads, adjusted Rand index ${index.toFixed(4)}`,
  )
  assert.ok(theirs.length > 9_000 / every, `only ${theirs.length} messages are in the threads`)
  assert.ok(pairs.length > 0.99 * theirs.length, `only ${pairs.length} messages are known to both`)
  assert.ok(index >= 0.995, `the adjusted Rand index is ${index}`)
})

/** Groups that the REFERENCES answers give before any expunge; subjects aside, `thread` is a loop, and so one thread here. */
const expected: Record<string, number[][]> = {
  thread: [[1, 2, 3]],
  thread2: [[1, 2]],
  thread3: [[1, 2]],
  thread4: [[1], [2]],
  thread5: [[1, 2, 3, 4, 5]],
  thread6: [[1, 2]],
  thread7: [[1, 2, 3, 4]],
  thread8: [[1, 2, 3]],
}

for (const database of databases) {
  test(
    `${database}: small mailboxes come out in the groups of their REFERENCES answers`,
    { skip },
    async (context) => {
      await using spool = await startSpool(database)
      for (const [name, groups] of Object.entries(expected)) {
        await context.test(name, async () => {
          const inbox = await spool.makeInbox(`${name}@shop.example`)
          const file = join(corpora!, 'threading', `${name}.mbox`)
          const result = await importMail(spool.spool, inbox, await openMailbox(file), {
            asRead: false,
            limits: defaultLimits,
          })
          const total = groups.flat().length
          // Two identical messages are one: in thread2, and in thread6, which have neither id nor date to differ by.
          const identical = name === 'thread2' || name === 'thread6' ? 1 : 0
          assert.equal(result.messages, total - identical)
          assert.equal(result.duplicates, identical)
          const threads = await spool.threads(`?inbox=${inbox.id}`)
          const sizes = threads.map(({ messageCount }) => messageCount).sort()
          assert.deepEqual(sizes, groups.map((group) => group.length - identical).sort())
        })
      }
    },
  )
}
