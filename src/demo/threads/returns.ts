import { pdf } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const returns: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Glass cracked after one night',
    from: 'Ellen Nakamura <ellen@nakamura.example>',
    status: 'open',
    assignee: 'sofia',
    unread: ['ada', 'tom'],
    client: 'apple',
    messages: [
      received(
        '2 08:20',
        `Good morning, we hung the 70 × 100 yesterday, and this morning there is a star in the glass. Nobody touched it, I promise. (We do have a cat, but she was outside.)\n\n[image: star.png]\n\nEllen`,
        {
          files: [photo('star.png', { frame: 'black', motif: 'night', damage: 'glass' })],
        },
      ),
      sent(
        '2 09:00',
        'sofia',
        `Good morning Ellen,\n\nno need to promise. A big pane can crack overnight when it was under tension from the start. Would you rather have a new pane to put in yourself (four clips, ten minutes), or exchange the whole frame?\n\nSofia`,
      ),
      received(
        '-75m',
        `The pane, please. My husband wants to prove something. Could you send gloves along? And is acrylic possible instead, because of the cat after all?`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Return without the original box',
    from: 'Joshua Abernathy <josh@abernathy.example>',
    status: 'closed',
    messages: [
      received(
        '16 13:10',
        `Hi, I want to return the Slate frame from order 4620 but the box went out with the recycling. Am I out of luck?`,
      ),
      sent(
        '16 13:44',
        'tom',
        `Hi Joshua,\n\nnot at all. Any stiff box will do: two layers of cardboard over the glass, corners padded, "fragile" on it. Or wait two days and I post you one of ours.\n\nTom`,
      ),
      received(
        '16 14:00',
        `I found a box from a television. It is a bit large for a 20 × 30 frame 😅 Will do.`,
      ),
      received('12 10:22', `Posted it. Tracking PH-88190.`),
      sent(
        '8 11:11',
        'tom',
        `Arrived in one piece, swimming in a sea of newspaper. Your 39 € are on their way.\n\nTom`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Exchange oak for walnut',
    from: 'Priyanka Banerjee <priyanka@banerjee.example>',
    status: 'waiting',
    assignee: 'tom',
    messages: [
      received(
        '6 11:32',
        `Hello, in our living room the oak looks yellow next to the floor. Can I exchange the Hazel 50 × 70 (order 4681) for the walnut one?`,
      ),
      sent(
        '6 12:40',
        'tom',
        `Hello Priyanka,\n\nyes. Ember is 12 € more in that size. If you pay with the link in the next mail I send the walnut frame first, and you put the oak one into the same box for the way back.\n\nTom`,
      ),
      received('6 12:58', `That is very practical. Paid!`),
      sent(
        '4 15:30',
        'tom',
        `The Ember frame left today, tracking PH-88260. The return label lies on top. You have 14 days, no hurry.\n\nTom`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Refund for order 4602?',
    from: 'Hannah Lindgren <hannah@lindgren.example>',
    status: 'closed',
    assignee: 'ada',
    messages: [
      received(
        '13 09:50',
        `Hello, I sent my frame back three weeks ago (4602) and have not seen any money yet. The tracking says that you received it on {d20}.`,
      ),
      sent(
        '13 10:20',
        'ada',
        `Dear Hannah,\n\nyou are right, and I am sorry. It was received, checked, and then put on the wrong list. I have just made the refund by hand: 79 € plus 6.90 € for the postage, which you should not have to pay when we are this slow.\n\nAda`,
      ),
      received('11 08:05', `The money is here. Thank you for not making me argue.`),
    ],
    notes: [
      note(
        '13 10:25',
        'ada',
        'The returns list skipped everything received on {d20}. @Sofia could you check the other four of that day?',
      ),
      note('13 11:40', 'sofia', 'All four refunded. Two had not noticed, one was about to write.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Scratch on the walnut',
    from: 'Cormac Ó Súilleabháin <cormac@osuilleabhain.example>',
    status: 'waiting',
    client: 'gmail',
    messages: [
      received(
        '5 20:11',
        `Hi folks, there's a pale scratch on the top edge of my Ember frame, about the length of a matchstick. It's not a tragedy, but I see it every time I pass.\n\nCormac`,
        {
          files: [photo('scratch.png', { frame: 'walnut', motif: 'harbour', damage: 'scratch' })],
        },
      ),
      sent(
        '4 09:15',
        'sofia',
        `Hi Cormac,\n\nonce seen, always seen, I know. Two ways: I send you a small tin of our walnut wax, which makes such scratches vanish in a minute, or we exchange the frame. Most people choose the wax and then go looking for more scratches in the house.\n\nSofia`,
      ),
      received('4 12:01', `The wax it is. I already know of a table.`),
      sent('4 12:30', 'sofia', `In the post! Rub along the grain, wait five minutes, wipe off.\n\nSofia`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Reklamation: falscher Druck geliefert',
    from: 'Annegret Döring <annegret@doering.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    language: 'de',
    charset: 'iso-8859-1',
    messages: [
      received(
        '1 16:12',
        `Sehr geehrte Damen und Herren,\n\nich hatte "Drei Birnen" bestellt (Auftrag 4703) und habe einen Nachtzug bekommen. Der Zug ist hübsch, aber in meiner Küche fährt keiner. Bitte teilen Sie mir mit, wie wir das tauschen. Ein Foto liegt bei.\n\nMit freundlichen Grüßen\nAnnegret Döring`,
        {
          files: [photo('nachtzug.png', { frame: 'oak', motif: 'night' })],
        },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Return label does not print',
    from: 'Esther Kimani <esther@kimani.example>',
    status: 'closed',
    messages: [
      received(
        '11 17:25',
        `Hello, the return page gives me a label that is cut off on the right. I have tried two printers.`,
      ),
      sent(
        '11 17:40',
        'tom',
        `Hello Esther,\n\nthe page assumes A4, and your printers may be set to Letter. I attach the label as a PDF that fits both.\n\nTom`,
        {
          files: [
            pdf(
              'return-label-4657.pdf',
              `
RETURN  R-4657-1
To: Larkwood, Returns, Ahornweg 8
From: Esther Kimani
Service: Packhorse standard, paid by receiver
Please keep the receipt until your refund has arrived.`,
            ),
          ],
        },
      ),
      received('10 08:30', `This one prints. Sent this morning, thank you.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Changed my mind about returning',
    from: 'Baptiste Lemaire <baptiste@lemaire.example>',
    status: 'closed',
    messages: [
      received(
        '20 15:33',
        `Hello, I asked for a return yesterday (order 4611, the red frame). Please cancel the return. My girlfriend came home, saw it and said that it was the first good thing I ever bought for the flat.`,
      ),
      sent(
        '20 15:50',
        'sofia',
        `Dear Baptiste,\n\nreturn cancelled. Congratulations to the three of you (frame included) ❤️\n\nSofia`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Cushion for the Otter has faded',
    from: 'Rosa Martínez Vidal <rosa@martinez-vidal.example>',
    status: 'open',
    assignee: 'ada',
    messages: [
      received(
        '7 10:05',
        `Hello, the green cushion of my stool has turned almost grey in one summer. It stood near the window, but not in it. Is this covered?`,
      ),
      sent(
        '7 11:30',
        'ada',
        `Hello Rosa,\n\nthat should not happen in one summer. Could you tell me what the little white label on the underside says? There is a letter and a number.\n\nAda`,
      ),
      received('3 18:18', `It says F-03. And on the other one, which has NOT faded, F-05. Does that help?`),
    ],
    notes: [
      note(
        '3 18:40',
        'ada',
        'F-03 is the wool from the old dye works. @Tom how many did we sell? I think we should write to all of them.',
      ),
      note('2 09:20', 'tom', '31 cushions, 28 with an address. I can prepare a list.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Parcel refused by mistake',
    from: 'Ivana Horvat <ivana@horvat.example>',
    status: 'closed',
    messages: [
      received(
        '15 12:45',
        `Good day, my flatmate refused your parcel because he thought it was another of his own online mistakes. It was mine (4649). Can it come again?`,
      ),
      sent(
        '15 13:05',
        'tom',
        `Good day Ivana,\n\nit is already on the way back to us. As soon as it is here I send it out again, no charge. Tell your flatmate that we admire his discipline.\n\nTom`,
      ),
      sent(
        '10 09:30',
        'tom',
        `It came back this morning and left again an hour later. Tracking PH-88231.\n\nTom`,
      ),
      received('8 17:55', `Received. He carried it upstairs as a penance.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Hanger came off the wall side',
    from: 'Yusuf Demir <yusuf@demir.example>',
    status: 'waiting',
    messages: [
      received(
        '4 16:50',
        `Hello, one of the two metal hangers on the back of the 70 × 100 has come loose and the frame hangs crooked. Is it safe to leave it?`,
      ),
      sent(
        '4 17:01',
        'ada',
        `Hello Yusuf,\n\nplease take it down tonight: one hanger is not made for the whole weight. I am sending you two new hangers with longer screws tomorrow. If you would rather not do it yourself, any frame shop will, and we pay the bill.\n\nAda`,
      ),
      received('4 17:20', `It is down. I can do it myself, thank you for the quick warning.`),
      sent('3 09:05', 'ada', `Good. They are in the post, with a drawing.\n\nAda`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Is engraving returnable?',
    from: 'Adaeze Nwosu <adaeze@nwosu.example>',
    status: 'closed',
    messages: [
      received(
        '18 14:48',
        `Hi, before I order: if I have a frame engraved and she says no, can I return it? Asking for a friend. (The friend is me.)`,
      ),
      sent(
        '18 15:10',
        'sofia',
        `Hi Adaeze,\n\nengraved frames cannot go back, I am afraid. But here is what others did: order the frame now and have the little brass plate engraved afterwards. It is glued on in a minute. Good luck 🤞\n\nSofia`,
      ),
      received('12 22:02', `She said YES. Please engrave "finally". Order 4664.`),
      sent('11 09:00', 'sofia', `The whole workshop cheered. "finally" it is.\n\nSofia`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Smell of varnish',
    from: 'Wilhelmina Bakker <mina@bakker.example>',
    status: 'closed',
    messages: [
      received(
        '21 10:30',
        `Dear people, my new bedside table is beautiful, but it smells. Not badly, like a boat. How long will this last? I sleep next to it.`,
      ),
      sent(
        '21 11:15',
        'ada',
        `Dear Wilhelmina,\n\nthat is linseed oil, and it goes away in about ten days. Leave the drawer open during the day and put a cup of ground coffee in it at night; it helps more than one would think. The oil is safe, it is the same that goes on toys.\n\nAda`,
      ),
      received('13 10:10', `Day eight: it smells of coffee now. I count that as a success.`),
    ],
  },
]
