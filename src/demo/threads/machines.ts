import { laidOut, machine, newsletter } from '../layouts.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

const shopFooter = 'Sent by the shop of larkwood.example. Answers to this mail reach the support team.'

/** Newsletters, the shop's own notices, and automatic mail from mail servers. */
export const machines: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'The autumn letter: grain, glue and patience',
    from: 'The Joinery Journal <letter@joinery-journal.example>',
    status: 'closed',
    messages: [
      laidOut(
        'sun2 06:00',
        {
          brand: 'THE JOINERY JOURNAL',
          colour: '#6b4f2a',
          heading: 'Grain, glue and patience',
          blocks: [
            'Why do mitres open in November? Because the heating goes on and the wood goes home. This month we measured forty frames over one winter; the results are on page 12.',
            { picture: 'https://img.joinery-journal.example/mitre.jpg', alt: 'A mitre joint, half open' },
            'Also: a visit to the last maker of wooden rulers, and a reader who asks whether a workbench may be painted. (It may not.)',
            { button: 'Read the letter', link: 'https://joinery-journal.example/autumn' },
          ],
          footer: 'You get this letter because you subscribed at a fair in spring. Unsubscribe at any time.',
          tracker: 'https://t.joinery-journal.example/open?u=larkwood',
        },
        { headers: newsletter('joinery-journal.example') },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'New prices for tools, and a plane for you',
    from: 'Werkzeughaus Amboss <neues@amboss-werkzeug.example>',
    status: 'closed',
    messages: [
      laidOut(
        'sat3 07:00',
        {
          brand: 'AMBOSS WERKZEUGE',
          colour: '#8a1f1f',
          heading: 'Only this week: block planes',
          blocks: [
            'Sharp, small, made for the end grain. We have 40 of them, and then none until spring.',
            {
              rows: [
                ['Block plane no. 9', '64.00 €'],
                ['Set of three chisels', '89.00 €'],
                ['Strop with paste', '21.50 €'],
              ],
            },
            { button: 'To the shop', link: 'https://amboss-werkzeug.example/week' },
          ],
          footer: 'Amboss Werkzeuge, Hammerstraße 1. Unsubscribe with one click.',
        },
        { headers: newsletter('amboss-werkzeug.example') },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'New review: ★★★★★ "It hangs straight, which I do not"',
    from: 'Larkwood Shop <shop@larkwood.example>',
    status: 'open',
    unread: ['ada', 'sofia'],
    messages: [
      laidOut(
        '1 18:05',
        {
          brand: 'LARKWOOD SHOP',
          colour: '#0f766e',
          heading: 'A new review waits for you',
          blocks: [
            'Fjord, 50 × 70 · ★★★★★ · by Ottilie W.',
            '“It hangs straight, which I do not. The blue is even better in the evening. One star would be missing for the box, which would not go into my bin, but my neighbour took it for his tortoise.”',
            { button: 'Publish', link: 'https://larkwood.example/admin/reviews/2214' },
          ],
          footer: shopFooter,
        },
        { headers: machine },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Low stock: Fjord 30 × 40 (3 left)',
    from: 'Larkwood Shop <shop@larkwood.example>',
    status: 'open',
    assignee: 'tom',
    messages: [
      laidOut(
        '2 05:00',
        {
          brand: 'LARKWOOD SHOP',
          colour: '#0f766e',
          heading: 'Three articles are running low',
          blocks: [
            {
              rows: [
                ['Fjord 30 × 40', '3 left'],
                ['Snow 40 × 50', '5 left'],
                ['Otter stool', '0 left, 9 waiting'],
              ],
            },
            { small: 'You get this notice when an article falls under its limit.' },
          ],
          footer: shopFooter,
        },
        { headers: machine },
      ),
    ],
    notes: [
      note(
        '2 08:10',
        'tom',
        'Blue paint is ordered. @Sofia please set Fjord 30 × 40 to "two weeks" in the shop.',
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Contact form: opening hours between the years',
    from: 'Larkwood Shop <shop@larkwood.example>',
    status: 'open',
    unread: everyone,
    messages: [
      laidOut(
        '-25m',
        {
          brand: 'LARKWOOD SHOP',
          colour: '#0f766e',
          heading: 'A message from the contact form',
          blocks: [
            {
              rows: [
                ['Name', 'Rasmus Aaltonen'],
                ['Mail', 'rasmus@aaltonen.example'],
                ['About', 'Opening hours'],
              ],
            },
            'Hello, is the showroom open between Christmas and New Year? We are in town then, with a car and an empty wall. Also, are dogs allowed? Ours is large but sleeps a lot.',
          ],
          footer: shopFooter,
        },
        { headers: { ...machine, 'Reply-To': 'rasmus@aaltonen.example' } },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'frame-makers digest, volume 14, issue 31',
    from: 'frame-makers list <frame-makers@lists.handcraft.example>',
    status: 'closed',
    client: 'bare',
    messages: [
      received(
        '6 04:00',
        `
Today's topics:

   1. Re: hide glue in a cold workshop (Marit Aune)
   2. Selling a mitre guillotine, collection only (Desmond Pike)
   3. Re: customers who measure in "about" (Yolanda Reyes)

----------------------------------------------------------------------

Message: 1
From: Marit Aune <marit@aune.example>

Warm the wood, not the glue. A hot water bottle under the clamp does it.

------------------------------

Message: 2
From: Desmond Pike <desmond@pike.example>

Moving to a smaller shop, so the guillotine has to go. Cuts like new, looks like old. Offers welcome, cake preferred.

------------------------------

Message: 3
From: Yolanda Reyes <yolanda@reyes.example>

I now ask for a photo with a coin on it. It has saved me three frames this year, and earned me one coin.

------------------------------

End of frame-makers digest, vol 14, issue 31`,
        {
          headers: {
            'List-Id': 'Frame makers <frame-makers.lists.handcraft.example>',
            'List-Post': '<mailto:frame-makers@lists.handcraft.example>',
            'List-Unsubscribe': '<https://lists.handcraft.example/leave>',
            Precedence: 'list',
          },
        },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Spare key for the Magpie cabinet',
    from: 'Corentin Blanchard <corentin@blanchard.example>',
    status: 'open',
    unread: ['ada', 'tom'],
    client: 'gmail',
    messages: [
      received(
        '3 15:05',
        `Hello, I have lost the small key of my Magpie cabinet. The number on the lock is 117. Could I buy a new one?\n\nCorentin`,
      ),
      sent(
        '3 15:35',
        'sofia',
        `Hello Corentin,\n\n117 is in the drawer, I send it to you for free. Which address, the one from your order?\n\nSofia`,
      ),
      received(
        '3 15:36',
        `
This is the mail system at host mx.larkwood.example.

I am sorry to inform you that your message could not be delivered to one recipient. The mailbox is full.

<corentin@blanchard.example>: host mail.blanchard.example said: 552 5.2.2 Mailbox full`,
        {
          from: 'Mail Delivery System <mailer-daemon@mx.larkwood.example>',
          headers: { Subject: 'Undelivered Mail Returned to Sender', 'Auto-Submitted': 'auto-replied' },
          undeliverable: {
            recipient: 'corentin@blanchard.example',
            status: '5.2.2',
            diagnostic: '552 5.2.2 Mailbox full',
          },
        },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Photographs for the article',
    from: 'Freya Halvorsen <redaktion@hus-og-ting.example>',
    status: 'waiting',
    assignee: 'ada',
    client: 'outlook',
    messages: [
      received(
        '5 10:10',
        `Hi Ada, for the spring issue we need two or three pictures in print quality: the workshop, a pair of hands, and the yellow door. By {d+5}?\n\nFreya`,
      ),
      sent(
        '4 13:40',
        'ada',
        `Hi Freya,\n\nCelia Moreau took some last month which we may give you, I ask her for the large files. Whose hands? We have six to choose from.\n\nAda`,
      ),
      received(
        '4 13:41',
        `Thank you for your message. I am out in the woods without a signal until {d+1} and will read my mail after that. In urgent matters please write to the editors.\n\nFreya Halvorsen`,
        {
          bare: true,
          headers: {
            Subject: 'Automatic reply: Photographs for the article',
            'Auto-Submitted': 'auto-replied',
            'X-Auto-Response-Suppress': 'All',
          },
        },
      ),
    ],
  },
]
