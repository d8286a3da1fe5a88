import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { receiveMail } from '../../src/core/receiving/receive.ts'
import { buildDemoMail } from '../../src/demo/build.ts'
import { parseMail } from '../../src/mail/parse.ts'
import type { Inbox } from '../../src/model/access.ts'
import type { MessageEntry } from '../../src/model/history.ts'
import { openDesk } from '../support/desk.ts'
import { connectClient, revisions, type Revision } from '../support/mcp.ts'
import { startSpool } from '../support/spool.ts'
import { installTools } from '../support/tools.ts'

const started = startSpool('sqlite')
after(async () => (await started)[Symbol.asyncDispose]())

let encode: (text: string) => number[]
before(async () => {
  const tools = await installTools(join(import.meta.dirname, 'tools'))
  ;({ encode } = tools.load<{ encode: typeof encode }>('gpt-tokenizer/encoding/o200k_base'))
})

const tokens = (text: string): number => encode(text).length

interface Cost {
  content: number
  structured: number
}
interface Answer {
  structured: Record<string, unknown>
  cost: Cost
}

/** Through the official client, as an agent's host does it. */
async function ask(token: string, revision: Revision, name: string, input: object): Promise<Answer> {
  const { url } = await started
  const client = await connectClient(url, token, revision)
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
  await client.close()
  assert.ok(!isError, JSON.stringify(content))
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return {
    structured: structuredContent as Record<string, unknown>,
    cost: { content: tokens(text), structured: tokens(JSON.stringify(structuredContent)) },
  }
}

async function readWhole(token: string, revision: Revision, threadId: string): Promise<Cost> {
  const cost: Cost = { content: 0, structured: 0 }
  for (let cursor: unknown = undefined; cursor !== null;) {
    const page = await ask(token, revision, 'get_thread', { threadId, ...(cursor ? { cursor } : {}) })
    cost.content += page.cost.content
    cost.structured += page.cost.structured
    cursor = page.structured['historyNextCursor']
  }
  return cost
}

function assertAtMost(what: string, cost: Cost, most: number): void {
  console.log(`${what}: content ${cost.content}, structuredContent ${cost.structured}, at most ${most}`)
  assert.ok(cost.content <= most, `${what}: content costs ${cost.content}, at most ${most}`)
  assert.ok(cost.structured <= most, `${what}: structuredContent costs ${cost.structured}, at most ${most}`)
}

const openings = ['Thank you,', 'Hello,', 'One more thing:', 'As I said,', 'By the way,']
const sentences = [
  'the carrier says that order 4711 is on its way again and will be here on Friday.',
  'we looked at the invoice for the second lamp, and the amount is right this time.',
  'could you send the two missing shelves to the office instead of my home address?',
  'my colleague will sign for it if the driver comes before noon on either day.',
]

/** A conversation between a customer, the team, and at times a colleague of the customer. */
async function holdConversation(
  messages: number,
): Promise<{ token: string; threadId: string; text: number }> {
  const spool = await started
  const desk = await openDesk(spool)
  const first = `<0@${desk.inbox.address}>`
  const inbound = Array.from({ length: messages }, (_, index) => index % 3 !== 1)
  const letters = inbound.map((isInbound, index) => ({
    messageId: index === 0 ? first : `<${index}@${desk.inbox.address}>`,
    ...(index === 0 ? {} : { references: [first] }),
    from: !isInbound
      ? `Support <${desk.inbox.address}>`
      : index % 10 === 9
        ? 'Dan Brandt <dan@brandt.example>'
        : 'Carla Brandt <carla@brandt.example>',
    to: isInbound ? desk.inbox.address : 'carla@brandt.example',
    subject: index === 0 ? 'Order 4711 has not arrived' : 'Re: Order 4711 has not arrived',
    date: Date.UTC(2026, 0, 5, 9) + index * 3_600_000,
    text: `${openings[index % 5]} ${sentences[index % 4]}`,
  }))
  let threadId = ''
  for (const [index, isInbound] of inbound.entries())
    threadId = (await desk.receive(letters[index], { direction: isInbound ? 'inbound' : 'outbound' }))
      .threadId
  let text = 0
  for (let cursor: string | null = '', seen = 0; cursor !== null; seen++) {
    assert.ok(seen < 10)
    const answer = await desk.get(
      `/api/v1/threads/${threadId}${cursor === '' ? '' : `?historyCursor=${cursor}`}`,
    )
    const page = answer.json<{ history: MessageEntry[]; historyNextCursor: string | null }>()
    for (const entry of page.history) if (entry.type === 'message') text += tokens(entry.newText)
    cursor = page.historyNextCursor
  }
  return { token: desk.token, threadId, text }
}

let demo: Promise<string> | undefined

/** The demo's mail, and a token that reads it. */
function loadDemo(): Promise<string> {
  return (demo ??= (async () => {
    const spool = await started
    const script = buildDemoMail(Date.now())
    const inboxes = new Map<string, Inbox>()
    for (const { address } of script.inboxes) inboxes.set(address, await spool.makeInbox(address))
    const reader = await spool.makeUser('reader@shop.example', 'member', [...inboxes.values()])
    for (const { inbox, messages } of script.threads) {
      const batch = messages.map(({ raw, direction }) => ({
        mail: parseMail(Buffer.from(raw)),
        direction: direction === 'in' ? ('inbound' as const) : ('outbound' as const),
        envelopeDate: null,
        seen: false,
        quiet: false,
      }))
      await receiveMail(spool.spool, inboxes.get(inbox)!, batch)
    }
    return spool.makeToken(reader)
  })())
}

for (const revision of revisions) {
  test(`${revision}: 20 threads of the demo cost at most 2,500 tokens`, async () => {
    const list = await ask(await loadDemo(), revision, 'list_threads', { limit: 20 })
    assert.equal((list.structured['data'] as unknown[]).length, 20)
    assertAtMost('20 threads', list.cost, 2_500)
  })

  test(`${revision}: 18 short messages cost at most 2,200 tokens`, async () => {
    const { token, threadId } = await holdConversation(18)
    assertAtMost('18 messages', await readWhole(token, revision, threadId), 2_200)
  })

  test(`${revision}: 260 messages read whole cost at most 2.5 times their new text, 40 a message and 300`, async () => {
    const { token, threadId, text } = await holdConversation(260)
    const cost = await readWhole(token, revision, threadId)
    assertAtMost(`260 messages of ${text}`, cost, 2.5 * text + 40 * 260 + 300)
  })
}

test('what a model is shown of the tools costs less than 4,500 tokens, and the whole list less than 9,000', async () => {
  const { url, token } = await started
  const client = await connectClient(url, token)
  const { tools } = await client.listTools()
  await client.close()
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const cost = tokens(JSON.stringify(shown))
  console.log(`${tools.length} tools: ${cost} shown, ${tokens(JSON.stringify(tools))} in all`)
  assert.ok(cost < 4_500, `${cost}`)
  assert.ok(tokens(JSON.stringify(tools)) < 9_000, `${tokens(JSON.stringify(tools))}`)
})
