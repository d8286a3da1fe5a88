import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSpool } from '../../src/app/open.ts'
import { readConfig } from '../../src/config.ts'
import { addInbox } from '../../src/core/inboxes/inboxes.ts'
import { receiveMail, type Incoming } from '../../src/core/receiving/receive.ts'
import { parseMail } from '../../src/mail/parse.ts'
import { databases, freshDatabase, type DatabaseKind } from '../support/databases.ts'
import { writeMail } from '../support/letter.ts'
import { makeRandom, shuffle } from '../support/random.ts'

const long = process.env['SPOOL_TEST_LONG'] === '1'
/** A thousand in the long run, a hundred in the default one. */
const orders: Record<DatabaseKind, number> = long
  ? { sqlite: 900, postgres: 100 }
  : { sqlite: 90, postgres: 10 }

interface Planned {
  id: string | null
  references: string[]
  inReplyTo: string | null
}

/** Conversations with lost mail, cut references, loops, messages without an id, and two messages under one id. */
function planMail(random: () => number): Planned[] {
  const planned: Planned[] = []
  const id = (n: number): string => `<m${n}@x.example>`
  for (let n = 0; n < 200; n++) {
    const parent = random() < 0.25 || n === 0 ? null : Math.floor(random() * n)
    const chain =
      parent === null
        ? []
        : [...(planned[parent]!.references ?? []), planned[parent]!.id ?? id(1000 + parent)]
    // Some clients name only the parent, some cut the chain in the middle, some name mail that never came.
    const references =
      random() < 0.3 ? chain.slice(-1) : random() < 0.2 ? chain.filter((_, i) => i % 2 === 0) : chain
    const own =
      random() < 0.05 ? null : random() < 0.03 && n > 0 ? planned[Math.floor(random() * n)]!.id : id(n)
    planned.push({ id: own, references: random() < 0.3 ? [] : references, inReplyTo: chain.at(-1) ?? null })
  }
  planned[10]!.references = [id(11)]
  planned[11]!.references = [id(10)]
  return planned
}

/** What the contract says, without any store: whoever shares an id is one thread. */
function groupsByTheRule(planned: readonly Planned[]): string {
  const groupOf = new Map<string, Set<number>>()
  planned.forEach(({ id, references, inReplyTo }, index) => {
    const ids = [...(id ? [id] : []), ...(references.length > 0 ? references : inReplyTo ? [inReplyTo] : [])]
    const merged = new Set([index])
    const known = new Set(ids.flatMap((each) => groupOf.get(each) ?? []))
    for (const group of known) for (const member of group) merged.add(member)
    for (const [key, group] of groupOf) if (known.has(group)) groupOf.set(key, merged)
    for (const each of ids) groupOf.set(each, merged)
    if (ids.length === 0) groupOf.set(`alone ${index}`, merged)
  })
  return canonical([...new Set(groupOf.values())].map((group) => [...group]))
}

function canonical(groups: number[][]): string {
  return JSON.stringify(groups.map((group) => group.sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!))
}

for (const database of databases) {
  test(`${database}: ${orders[database]} orders of arrival of the same 200 messages give the same threads`, async () => {
    await using fresh = await freshDatabase(database)
    await using spool = await openSpool(readConfig(fresh.env), 'inline')
    const random = makeRandom(20_261_115)
    const planned = planMail(random)
    const expected = groupsByTheRule(planned)
    assert.ok(JSON.parse(expected).length > 20, 'there are many threads to get wrong')
    const mails: Incoming[] = await Promise.all(
      planned.map(async ({ id, references, inReplyTo }, n) => {
        const letter = {
          references,
          text: `Message ${n}`,
          ...(inReplyTo ? { inReplyTo } : {}),
          headers: id ? {} : { 'Message-ID': '' },
        }
        const mail = await parseMail(Buffer.from(writeMail({ ...letter, ...(id ? { messageId: id } : {}) })))
        assert.equal(mail.messageId, id)
        return { mail, direction: 'inbound', envelopeDate: null, seen: true, quiet: true } satisfies Incoming
      }),
    )
    for (let order = 0; order < orders[database]; order++) {
      const inbox = await addInbox(spool, `order${order}@shop.example`, null)
      const shuffled = order === 0 ? [...mails] : shuffle(mails, random)
      await receiveMail(spool, inbox, shuffled)
      // Received once more, each is known, and tells which thread it is in at the end.
      const again = await receiveMail(spool, inbox, mails)
      const groups = Map.groupBy(
        again.map(({ threadId }, index) => ({ threadId, index })),
        ({ threadId }) => threadId,
      )
      assert.ok(again.every(({ duplicate }) => duplicate))
      assert.equal(
        canonical([...groups.values()].map((group) => group.map(({ index }) => index))),
        expected,
        `order ${order}`,
      )
    }
  })
}
