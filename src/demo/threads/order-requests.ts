import { photo } from '../pictures.ts'
import { note, received, sent, type DemoThread } from '../thread.ts'

export const orderRequests: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Colour on screen and in the room',
    from: 'Hye-jin Park <hyejin@park-studio.example>',
    status: 'closed',
    client: 'gmail',
    messages: [
      received(
        '14 13:28',
        `
Hello! The green of "Meadow" looks more like mint on my laptop and like moss on my phone. Which one is true? This is the wall it should match:

[image: our-wall.png]

Hye-jin`,
        { files: [photo('our-wall.png', { frame: 'green', motif: 'empty' })] },
      ),
      sent(
        '14 14:10',
        'sofia',
        `
Hello Hye-jin,

the phone is right: moss. I can post you a sample corner for free, then you can hold it against the wall in daylight and in lamplight. Where should it go?

Sofia`,
      ),
      received(
        '14 14:22',
        `Oh yes please! Studio Park, Lindenhof 12, back yard. The doorbell is broken, it may be left with the florist.`,
      ),
      sent('13 09:15', 'sofia', `It is in the post, addressed to you and the florist 🌿\n\nSofia`),
      received('8 16:05', `Sample arrived. It IS moss, and it is perfect. Order 4680 is mine 💚`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Wrong name on the parcel',
    from: 'Mehmet Yıldırım <mehmet@yildirim.example>',
    status: 'closed',
    messages: [
      received(
        '12 09:09',
        `
Merhaba,

in my account the name is written "Y?ld?r?m", and the courier did not want to give me the parcel because it does not match my card. Order 4661. Lütfen düzeltir misiniz? It is Yıldırım, with two dotless ı.

Teşekkürler
Mehmet`,
      ),
      sent(
        '12 10:31',
        'tom',
        `
Merhaba Mehmet,

I am sorry, that is our old label program. I corrected the account and called the carrier: they try again tomorrow and the name on the label is now Yıldırım. The program is being replaced this month.

Tom`,
      ),
      received('11 15:50', `It came today, with my real name on it. Teşekkür ederim!`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Order for our kindergarten',
    from: 'Miriam Feldstein <leitung@kita-regenbogen.example>',
    status: 'waiting',
    assignee: 'ada',
    messages: [
      received(
        '6 08:40',
        `
Dear Larkwood,

we would like twelve Snow frames in A3 for the children's drawings. Two questions: do you have them with acrylic instead of glass, and can the front be opened without tools? The drawings change every week.

Miriam Feldstein
Kita Regenbogen 🌈`,
      ),
      sent(
        '6 10:12',
        'ada',
        `
Dear Miriam,

acrylic: yes, 6 € less than glass and much kinder to small fingers. Opening without tools: the normal back has metal clips, but we can put in magnets instead, 4 € a frame. Twelve with acrylic and magnets come to 516 €, and for a kindergarten we send them free of charge.

Ada`,
      ),
      received(
        '5 13:55',
        `That is wonderful. I have to ask our board, they meet at the end of next week. May the offer stand until then?`,
      ),
      sent('5 14:20', 'ada', `Of course, it stands until the end of the year.\n\nAda`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Do you ship to Iceland?',
    from: 'Sigríður Jónsdóttir <sigga@jonsdottir.example>',
    status: 'closed',
    messages: [
      received(
        '21 12:12',
        `Halló! Your shop does not know my country. Do you ship to Iceland, and what would a 50 × 70 cost to send? Takk, Sigga`,
      ),
      sent(
        '21 13:02',
        'tom',
        `
Hello Sigga,

we do, only the form did not know it. It is 34 € for one frame and 38 € for two, about eight days by ship. I have added Iceland, please try again.

Tom`,
      ),
      received(
        '21 13:40',
        `Þetta virkar! Two frames it is, then, since the second one travels almost free 😄`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Pickup at the workshop',
    from: 'Samira Haddad <samira@haddad.example>',
    status: 'closed',
    messages: [
      received(
        '10 16:30',
        `Hello, I live ten minutes from you. Could I pick up order 4672 myself and save the delivery? I am free on {w7} after five.`,
      ),
      sent(
        '10 16:48',
        'sofia',
        `Hello Samira,\n\ngladly. We are here until six on {w7}. Ring at the yellow door in the yard, not at the front. There will be coffee.\n\nSofia`,
      ),
      received('7 19:20', `Picked up, thank you for the tour! My daughter now wants to become a carpenter.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'My account shows somebody else’s order',
    from: 'Dmitri Sokolov <dmitri@sokolov.example>',
    status: 'open',
    assignee: 'ada',
    unread: ['sofia'],
    messages: [
      received(
        '2 10:50',
        `Hello. When I open "my orders" I see order 4666 with two red frames to a city where I have never been. It is not mine. Is somebody using my account?`,
      ),
      sent(
        '2 11:05',
        'ada',
        `
Hello Dmitri,

thank you for telling us at once. Nobody is in your account: a customer typed her e-mail address with one letter wrong, and it became yours. I have separated the two and she has been told. You can no longer see her order, and she never saw yours.

Could you reload the page and confirm that 4666 is gone?

Ada`,
      ),
      received('-4h', `It is gone now. But my own order from summer (4312) is gone as well?`),
    ],
    notes: [
      note(
        '2 10:58',
        'ada',
        '@Tom please look at how the two were joined, and note the time for our privacy log.',
      ),
      note(
        '2 12:30',
        'tom',
        'Typo in the address at checkout, we match orders by address only. Logged. Fix: confirm the address first.',
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Thank you from the whole choir',
    from: 'Gwendolyn Price <gwen@price.example>',
    status: 'closed',
    messages: [
      received(
        '11 14:14',
        `
Dear all,

the frame for our conductor's farewell arrived a day early, and when she unwrapped it the altos cried, then the basses, and in the end even the organist. No question, no complaint. I just thought that you should get such a mail now and then.

Gwen Price
(second soprano)`,
      ),
      sent(
        '11 15:30',
        'ada',
        `Dear Gwen,\n\nwe have printed this and hung it over the workbench. In a frame, of course. Thank you.\n\nAda, Tom and Sofia`,
      ),
    ],
  },
]
