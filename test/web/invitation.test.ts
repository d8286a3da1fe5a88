import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Thread } from '../../src/model/history.ts'
import type { Invitation } from '../../src/model/files/invitation.ts'
import { browserMissing, signInAt, visit } from '../support/browser.ts'
import { talk } from '../support/calendars.ts'
import { databases } from '../support/databases.ts'
import { openDesk, shareSpool } from '../support/desk.ts'
import { examine } from '../support/page-check.ts'
import { signInAs } from '../support/web-client.ts'

for (const database of databases) {
  const shared = shareSpool(database)
  test(`${database}: the page is told what a calendar file invites to, and nobody else is`, async () => {
    const spool = await shared()
    const desk = await openDesk(spool)
    const page = await signInAs(spool, desk.user)
    const strange = await signInAs(spool, (await openDesk(spool)).user)
    const { threadId } = await desk.receive({
      attachments: [
        { filename: 'invite.ics', type: 'text/calendar; method=REQUEST', content: talk },
        { filename: 'note.txt', type: 'text/plain', content: talk },
      ],
    })
    const [message] = (await page.do<Thread>('GET', `/threads/${threadId}`)).history
    assert.ok(message?.type === 'message')
    const read = (filename: string, as = page) =>
      as.ask(
        'GET',
        `/attachments/${message.attachments.find((file) => file.filename === filename)!.id}/invitation`,
      )
    const answer = await read('invite.ics')
    const { invitation } = JSON.parse(answer.text) as { invitation: Invitation }
    assert.deepEqual(invitation, {
      kind: 'invitation',
      title: 'Talk about the parcel',
      start: '2026-11-17T16:00',
      end: '2026-11-17T17:00',
      isAllDay: false,
      zone: 'Europe/Berlin',
      startsAt: '2026-11-17T15:00:00.000Z',
      endsAt: '2026-11-17T16:00:00.000Z',
      repeats: 'weekly',
      where: 'Harbour Street 7',
      organiser: { name: 'Carla Brandt', address: 'carla@brandt.example', answer: null },
      guests: [
        { name: 'Bob Miller', address: 'bob@miller.example', answer: 'yes' },
        { name: '', address: 'support@shop.example', answer: null },
      ],
      guestCount: 2,
      asksForAnswer: true,
    })
    assert.deepEqual(JSON.parse((await read('note.txt')).text), { invitation: null })
    assert.equal((await read('invite.ics', strange)).status, 404)
  })
}

test("a card shows an invitation in the reader's own time", { skip: browserMissing }, async () => {
  const spool = await shareSpool('sqlite')()
  const desk = await openDesk(spool)
  const { threadId } = await desk.receive({
    subject: 'Invitation: Talk about the parcel',
    html: '<p>Please <b>come</b>.</p>',
    attachments: [{ filename: 'invite.ics', type: 'text/calendar; method=REQUEST', content: talk }],
  })
  await using reader = await visit(spool, { timeZone: 'America/New_York', locale: 'en-US' })
  const { page } = reader
  await signInAt(spool, reader, desk.user, `/open/${threadId}`)
  const card = page.getByRole('region', { name: 'Invitation' })
  await card.getByRole('heading', { name: 'Talk about the parcel' }).waitFor()
  const words = (await card.innerText()).replaceAll(/[\s\u202f\u2009]+/g, ' ')
  assert.match(words, /Tue, Nov 17, 2026, 10:00 – 11:00 AM \(your time, America\/New_York\)/)
  assert.match(words, /Tue, Nov 17, 2026, 4:00 – 5:00 PM \(Europe\/Berlin\)/)
  assert.match(words, /Every week Where Harbour Street 7 Organiser Carla Brandt <carla@brandt\.example>/)
  assert.match(words, /Guests Bob Miller <bob@miller\.example> \(yes\), support@shop\.example/)
  assert.match(words, /An answer is asked for: yes, no or maybe\./)
  assert.deepEqual(await examine(page, 'invitation'), [])
  assert.deepEqual(reader.problems, [])
})
