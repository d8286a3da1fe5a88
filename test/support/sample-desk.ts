import { addNote } from '../../src/core/threads/notes.ts'
import { addUser } from '../../src/core/people/people.ts'
import { proposeDraft } from '../../src/core/drafts/drafts.ts'
import { assignThread, changeStatus } from '../../src/core/threads/threads.ts'
import { person, type Inbox, type User } from '../../src/model/access.ts'
import type { Draft } from '../../src/model/draft.ts'
import { agentOf } from './agents.ts'
import type { TestSpool } from './spool.ts'

export interface SampleDesk {
  tom: User
  sofia: User
  billing: Inbox
  /** Waits for a reply, which an agent has proposed. */
  order: { threadId: string; draft: Draft }
  /** A proposal that is stale because of newer mail. */
  invoice: { threadId: string; draft: Draft }
  photos: { threadId: string }
  newsletter: { threadId: string }
}

const minute = 60_000
const day = 86_400_000
/** A PNG of 5 × 5 pixels. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='

/** A morning's mail: the content of the screenshots and the starting point of the stories. */
export async function fillDesk(spool: TestSpool, now = Date.now()): Promise<SampleDesk> {
  const billing = await spool.makeInbox('billing@shop.example')
  const tom = await makeColleague(spool, 'Tom', [spool.inbox, billing])
  const sofia = await makeColleague(spool, 'Sofia', [spool.inbox, billing])
  const triage = await agentOf(spool.spool, await spool.makeToken(spool.ada, { name: 'Triage' }))
  const ada = spool.actor

  await spool.receive(
    {
      from: 'Lars Holm <lars@holm.example>',
      subject: 'Change of delivery address',
      date: now - 4 * day,
      text: 'We have moved. The new address is below, please use it from now on.\n\nHafengasse 7, 24103 Kiel',
    },
    { seen: true },
  )
  const warranty = await spool.receive(
    {
      from: 'Ines Duarte <ines@duarte.example>',
      subject: 'Question about warranty',
      date: now - 3 * day,
      text: 'Does the warranty cover the hinge as well? I read the terms twice.',
    },
    { seen: true },
  )
  await changeStatus(spool.spool, ada, warranty.threadId, 'waiting', null)
  const photos = await spool.receive({
    from: 'Pavel Novák <pavel@novak.example>',
    subject: 'Damaged on arrival',
    date: now - 3 * day + minute,
    text: 'Photos attached. The corner of the frame is broken.',
    attachments: [
      { filename: 'corner.png', type: 'image/png', content: Buffer.from(pixel, 'base64') },
      { filename: 'delivery-note.pdf', type: 'application/pdf', content: '%PDF-1.4 sample' },
    ],
  })
  await assignThread(spool.spool, ada, photos.threadId, sofia)
  const newsletter = await spool.receive({
    from: 'Hotel Adler <orders@adler.example>',
    subject: 'Bulk order for the season',
    date: now - day,
    text: 'We would need 240 pieces by the end of March, in two deliveries.',
    html: '<table width="100%"><tr><td style="background:#f3efe6;padding:16px"><h2>Bulk order</h2><p>We would need <b>240 pieces</b> by the end of March, in two deliveries.</p><p>See <a href="https://adler.example/order">our order page</a>.</p><img src="https://adler.example/logo.png" width="120" height="40" alt="Hotel Adler"></td></tr></table>',
  })
  await spool.receive(
    {
      from: 'Mara Ionescu <mara@ionescu.example>',
      subject: 'Re: Returning the blue one',
      date: now - day + minute,
      text: 'Thanks, that worked! One more thing about the refund: which account do you use?',
    },
    { seen: true },
  )

  const invoice = await spool.receive({
    from: 'Jonas Weber <jonas@weber.example>',
    subject: 'Invoice 2026-118: wrong VAT id',
    date: now - 90 * minute,
    messageId: '<vat@weber.example>',
    text: 'Could you correct the VAT number on the invoice 2026-118 to DE 811 569 869?',
  })
  const stale = await proposeDraft(spool.spool, triage, {
    threadId: invoice.threadId,
    text: 'Hello Jonas,\n\nwe have corrected the invoice 2026-118 and send it again today.\n\nBest regards',
  })
  await spool.receive({
    from: 'Jonas Weber <jonas@weber.example>',
    subject: 'Re: Invoice 2026-118: wrong VAT id',
    date: now - 30 * minute,
    inReplyTo: '<vat@weber.example>',
    text: 'Please send it to our bookkeeper as well: books@weber.example',
  })

  const order = await spool.receive({
    date: now - 3 * day,
    messageId: '<4711@brandt.example>',
    text: 'Hello, my order 4711 was due on 3 November. The tracking page has said “at the depot” since Friday. Can you tell me when it will arrive?\n\n-- \nCarla Brandt\nBrandt Design',
  })
  await spool.receive({
    date: now - 20 * minute,
    inReplyTo: '<4711@brandt.example>',
    subject: 'Re: Order 4711 has not arrived',
    text: 'It was due on 3 November and the tracking page says the same as last week. I need it before the 20th.\n\n> Hello, my order 4711 was due on 3 November.',
  })
  await assignThread(spool.spool, person(tom), order.threadId, spool.ada)
  const draft = await proposeDraft(spool.spool, triage, {
    threadId: order.threadId,
    text: 'Hello Carla,\n\nI am sorry about the wait. Your order 4711 was due on 3 November and is still at the depot.\nThe carrier says that it leaves the depot today and arrives by 18 November, so before the 20th.\n\nBest regards,\nAda',
    citations: [{ messageId: order.messageId, quote: 'order 4711 was due on 3 November' }],
  })
  await addNote(spool.spool, person(tom), order.threadId, 'Carrier confirmed it leaves today.')
  await addNote(spool.spool, ada, order.threadId, "@Tom great, I'll put that in.")
  await addNote(
    spool.spool,
    person(sofia),
    order.threadId,
    "Second mail about 4711 in 3 days, let's answer before noon.",
  )
  return {
    tom,
    sofia,
    billing,
    order: { threadId: order.threadId, draft },
    invoice: { threadId: invoice.threadId, draft: stale },
    photos,
    newsletter,
  }
}

function makeColleague(spool: TestSpool, name: string, inboxes: readonly Inbox[]): Promise<User> {
  const email = `${name.toLowerCase()}@shop.example`
  return addUser(spool.spool, {
    email,
    name,
    role: 'member',
    inboxes: inboxes.map(({ id }) => id),
    password: null,
  })
}
