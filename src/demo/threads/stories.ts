import { file, pdf } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, proposed, received, sent, type DemoThread } from '../thread.ts'

/** The threads a newcomer sees first, at the top of the list. */
export const stories: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Order 4711 has not arrived',
    from: 'Carla Brandt <carla@brandt.example>',
    status: 'open',
    assignee: 'ada',
    unread: everyone,
    client: 'gmail',
    messages: [
      received(
        '3 10:02',
        `
Hello, my order 4711 was due on {d8}. The tracking page has said “at the depot” since {w5}. Can you tell me when it will arrive?

Carla Brandt`,
      ),
      received(
        '-12m',
        `It was due on {d8} and the tracking page says the same as last week. I need it before the {t+4}.`,
      ),
    ],
    notes: [
      note('-9m', 'tom', 'Carrier confirmed it leaves today.'),
      note('-7m', 'ada', "@Tom great, I'll put that in."),
      note('-3m', 'sofia', "Second mail about 4711 in 3 days, let's answer before noon."),
    ],
    drafts: [
      proposed(
        '-5m',
        `
Hello Carla,

I am sorry about the wait. Your order was due on {d8}, and the tracking page still says that it is at the depot. The carrier has confirmed that it leaves today and arrives on {d+2}, so before the {t+4}.

Best regards,
Ada`,
        ['It was due on {d8}', 'I need it before the {t+4}'],
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Invoice 2026-118: wrong VAT id',
    from: 'Jonas Weber <jonas.weber@weber-optik.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    messages: [
      received(
        '2 14:26',
        `
Good afternoon,

we have received invoice 2026-118 for the eight display frames. Our VAT id on it is not ours: it ends in 82, ours ends in 28. It seems two digits changed places.

Kind regards
Jonas Weber
Weber Optik`,
        {
          files: [
            pdf(
              'Invoice-2026-118.pdf',
              `
Invoice 2026-118
Larkwood, Ahornweg 8
Date: {i6}

Weber Optik, Marktplatz 3
VAT id: XX123456782

8 x display frame Slate 40 x 50 cm     8 x 58.00 €     464.00 €
Delivery                                                18.00 €
Total                                                  482.00 €

Payable within 30 days. Thank you!`,
            ),
          ],
        },
      ),
      sent(
        '2 16:05',
        'tom',
        `
Hello Mr Weber,

thank you for looking closely. Could you send me the full number as your tax office has it? I would rather copy it than guess a second time.

Best regards,
Tom`,
      ),
      received(
        '-41m',
        `
Could you correct the VAT number on the invoice to XX123456728? Our accountant closes the month on {w+2}, so it would help to have the new document by then.

And a small thing: the street is now Marktplatz 5, no longer 3.

Jonas Weber`,
      ),
    ],
    drafts: [
      proposed(
        '-38m',
        `
Hello Mr Weber,

thank you for the number. Invoice 2026-118 now has the VAT id XX123456728, and the street is Marktplatz 5. You will have the new document before {w+2}.

Best regards,
Tom`,
        ['correct the VAT number on the invoice to XX123456728', 'the street is now Marktplatz 5'],
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Returning the blue one',
    from: 'Mara Ionescu <mara.ionescu@posta.example>',
    status: 'open',
    assignee: 'tom',
    client: 'apple',
    messages: [
      received(
        '7 19:12',
        `
Hi! I ordered two Fjord frames (order 4688), the blue one in 30 × 40 and one in 50 × 70. The small one is lovely, but the big blue one is too strong for our wall. May I send it back?

Mara`,
      ),
      sent(
        '6 09:20',
        'tom',
        `
Hi Mara,

of course, you have 30 days and no reason is needed. Is the box still there? The big frames travel badly in anything else.

Tom`,
      ),
      received('6 18:47', `The box is here, but my son has built a rocket out of it. It has a window now 🚀`),
      sent(
        '5 08:55',
        'tom',
        `
A good use for it. I am sending you a new flat box today, it should be with you on {w3}. The return label is inside. Put the cardboard corners on first, then the foam, then the frame face down.

Tom`,
      ),
      received(
        '3 20:03',
        `The box came. The label asks for a "return number", and I cannot find one anywhere. What do I write there?`,
      ),
      sent(
        '2 09:11',
        'tom',
        `
Please write R-4688-2. You can also print a label that already has it, at https://larkwood.example/returns with your order number and your postcode.

Tom`,
      ),
      received(
        '1 17:38',
        `
Thanks, that worked! One more thing about the refund: I paid half of the order with a gift card from my sister. Will the money go back to the card, or to my account? I would like to use it for the green one in the same size, if you can keep one.

Mara`,
      ),
    ],
    notes: [
      note('5 08:58', 'tom', 'New 50 × 70 box went out with the morning post.'),
      note('1 17:50', 'sofia', '@Tom one Meadow 50 × 70 is on the shelf, I put her name on it.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Bulk order for the season',
    from: 'Hotel Adler <einkauf@hotel-adler.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    messages: [
      received(
        '5 11:15',
        `
Dear Larkwood team,

a guest gave us one of your frames, and now our owner wants them in the whole house. We renovate 76 rooms and the breakfast room, with three pictures in each room. Do you take orders of that size at all?

Friederike Amsel
Purchasing, Hotel Adler`,
      ),
      sent(
        '4 10:30',
        'ada',
        `
Dear Ms Amsel,

what a nice way to be found. Yes, we do, with a little patience: our workshop makes about 60 frames a week. Could you send us the sizes per room and the date by which you need them? I will then work out a price for the whole.

Kind regards,
Ada`,
      ),
      received(
        '1 15:22',
        `
Dear Ms Lindqvist,

we would need 240 pieces by the end of March, in three deliveries if that is easier for you. The list by floor is attached. Oak for the first and second floor, walnut for the third, and the blue ones for the breakfast room, please.

What would the price per piece be, and do you need a deposit?

Friederike Amsel`,
        {
          files: [
            file(
              'rooms-and-sizes.csv',
              'text/csv',
              `
floor,rooms,frame,size_cm,pieces
1,28,Hazel,30x40,84
2,28,Hazel,30x40,84
3,20,Ember,40x50,60
Breakfast room,1,Fjord,50x70,12`,
            ),
          ],
        },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Damaged on arrival',
    from: 'Pavel Novák <pavel@novak.example>',
    status: 'open',
    assignee: 'sofia',
    client: 'gmail',
    messages: [
      received(
        '3 13:40',
        `
Hello,

order 4702 came today and the parcel looked fine, but inside one corner has burst open. Is it possible to get a new one? It is a wedding present for {w+6}.

Pavel Novák`,
      ),
      sent(
        '3 15:02',
        'sofia',
        `
Hi Pavel,

oh no, and a wedding present too. We will make it right in time. Could you send me two or three photos, one of the corner and one of the box? I need them for the carrier, not because I doubt you 🙂

Sofia`,
      ),
      received(
        '2 18:09',
        `
Photos attached. The corner of the frame is broken, the glass is whole. On the third you see the box, one side is a bit crushed after all.

Pavel`,
        {
          files: [
            photo('corner.png', { frame: 'red', motif: 'pears', damage: 'corner' }),
            photo('whole-frame.png', { frame: 'red', motif: 'pears' }),
            photo('box.png', { frame: 'red', damage: 'box' }),
          ],
        },
      ),
    ],
    notes: [
      note('2 18:20', 'sofia', '@Ada can the workshop make a Poppy 40 × 50 by {w+3}? Wedding present.'),
      note('2 18:31', 'ada', 'Yes, I moved it to the front. Leaves by express.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Question about warranty',
    from: 'Ines Duarte <ines.duarte@correio.example>',
    status: 'waiting',
    client: 'thunderbird',
    messages: [
      received(
        '3 09:33',
        `
Good morning,

I bought a Magpie wall cabinet from you in spring. Does the warranty cover the hinge as well? I read "five years on all wooden parts" on the card, and a hinge is not wood. Mine has begun to squeak, and the door hangs two millimetres lower than it did.

Thank you
Ines Duarte`,
      ),
      sent(
        '3 11:10',
        'ada',
        `
Good morning Ines,

a fair reading! The hinges have two years, so yours is covered. Before we send a new one: there is a small screw on the inside of the upper hinge. A quarter turn to the right usually lifts the door again, and a drop of oil helps against the squeak.

Would you try that and tell me? If it comes back, I post you a pair of hinges and the right screwdriver.

Best regards,
Ada`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Change of delivery address',
    from: 'Lars Holm <lars@holm.example>',
    status: 'open',
    unread: ['sofia'],
    client: 'bare',
    messages: [
      received(
        '4 07:58',
        `
Hi,

We have moved. The new address is below, please use it for order 4708 and for the one after it as well.

Lars Holm
Strandgade 41, 2nd floor
4. door on the left (the bell still says Petersen)

Kind regards
Lars`,
      ),
    ],
  },
]
