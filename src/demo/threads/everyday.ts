import { pdf } from '../documents.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const everyday: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Am I writing to a person?',
    from: 'Alasdair Munro <alasdair@munro.example>',
    status: 'closed',
    messages: [
      received(
        '10 21:10',
        `Before I explain a complicated matter: is there a person at the other end, or one of those programs that are sorry for everything?`,
      ),
      sent(
        '9 08:40',
        'tom',
        `Good morning Alasdair,\n\na person. A program may have helped me to find your order, but I read your mail, and what you read now I have typed and sent myself. I am not sorry for anything yet. What is the matter?\n\nTom`,
      ),
      received(
        '9 09:30',
        `Splendid. The matter: I bought one frame in 2019 and would like a second one with exactly the same shade of walnut. Mine has become lighter in the sun.`,
      ),
      sent(
        '9 10:10',
        'tom',
        `A photo of it next to a sheet of white paper, in daylight, and I can mix a stain that meets it halfway. They will be twins in about two years.\n\nTom`,
      ),
      received(
        '8 14:45',
        `Two years I can wait. Photo follows when the sun does. I live in Scotland, so please be patient.`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Apprenticeship from August',
    from: 'Finja Petersen <finja@petersen.example>',
    status: 'open',
    assignee: 'ada',
    unread: ['tom'],
    messages: [
      received(
        '4 18:00',
        `Dear Ms Lindqvist,\n\nI am 17 and finish school in summer. I have built a stool, a nesting box and half a boat. I would like to learn carpentry with you. My letter and a reference are attached.\n\nFinja Petersen`,
        {
          files: [
            pdf(
              'Finja-Petersen-application.pdf',
              `
Application for an apprenticeship
Finja Petersen

School: Realschule am See, until summer
Practice: two weeks at a boat builder's
Built: one stool, one nesting box, half a boat
I like: joints without screws
I do not like: chipboard`,
            ),
          ],
        },
      ),
    ],
    notes: [
      note('4 18:30', 'sofia', '"Half a boat" 😍 @Ada please meet her.'),
      note('3 08:50', 'ada', 'I will. @Tom do we have room for a fourth bench?'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Please delete my data',
    from: 'Cosima Reinhardt <cosima@reinhardt.example>',
    status: 'waiting',
    assignee: 'ada',
    messages: [
      received(
        '5 16:16',
        `Hello, I no longer need my account. Please delete everything that you have stored about me and confirm it.`,
      ),
      sent(
        '5 16:50',
        'ada',
        `Hello Cosima,\n\nthe account, your addresses and the newsletter are deleted. The two invoices of this year we have to keep by law; they are locked away and used for nothing else.\n\nWould you like a list of what was deleted?\n\nAda`,
      ),
      received('4 09:15', `Yes, a list please. And was my data ever given to others?`),
      sent(
        '4 10:30',
        'ada',
        `The list: name, two addresses, mail address, four orders, one wish list (with the blue one on it). Given to others: name and address to Packhorse Parcels for the deliveries, nothing else, to nobody else.\n\nAda`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Your shop with a screen reader',
    from: 'Babajide Ogunleye <jide@ogunleye.example>',
    status: 'open',
    assignee: 'tom',
    messages: [
      received(
        '7 13:00',
        `Hi, I am blind and buy frames for my wife, who paints. Your shop is better than most, but the colour buttons only say "button, button, button". So I ordered the third button and hoped for oak.`,
      ),
      sent(
        '7 14:10',
        'tom',
        `Hi Jide,\n\nthat is embarrassing, and thank you. The third button was oak, you were lucky. I have given every button its name now. Would you try once more and tell me what else is silent?\n\nTom`,
      ),
      received(
        '3 19:25',
        `Much better: "Hazel, oak, warm brown". Two more: the size menu closes when I arrow down, and the picture of the print has no words at all. What is on "Night Train"? I have been wondering for a week.`,
      ),
    ],
    notes: [
      note(
        '7 14:15',
        'tom',
        'Names on all colour buttons. @Sofia could you write descriptions for the prints? You are better with words.',
      ),
      note(
        '2 10:00',
        'sofia',
        'Six of nine done. Night Train: "A small train with lit windows crosses a dark plain, nobody is waiting."',
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Interview for a podcast about old crafts',
    from: 'Paloma Ibáñez <paloma@handmade-hours.example>',
    status: 'waiting',
    messages: [
      received(
        '6 12:45',
        `Hi Larkwood, I make a podcast on people who still make things by hand. Could I record in your workshop for a morning? I especially love noises: planes, saws, swearing.`,
      ),
      sent(
        '6 13:30',
        'sofia',
        `Hi Paloma,\n\nnoises we have. The planer is loudest on {w+2}, the swearing is best on {w+3} when we do the mitres. Come for both?\n\nSofia`,
      ),
      received(
        '6 14:00',
        `{w+3}, for the mitres! I will bring a furry microphone. It is not a pet, though everyone strokes it.`,
      ),
      sent('6 14:05', 'sofia', `We will try to be strong.\n\nSofia`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Lost glove in your showroom',
    from: 'Elspeth Cairns <elspeth@cairns.example>',
    status: 'closed',
    messages: [
      received(
        '8 17:30',
        `Hello, did I leave a green glove with you this morning? Left hand, wool, made by my sister, so I am in danger.`,
      ),
      sent(
        '8 17:36',
        'sofia',
        `Hello Elspeth,\n\nit has been sitting on the Otter stool all day like a customer. We keep it by the till.\n\nSofia`,
      ),
      received('8 17:40', `Saved! I come tomorrow at ten.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Course: make your own frame?',
    from: 'Hiroshi Tanabe <hiroshi@tanabe.example>',
    status: 'open',
    unread: everyone,
    messages: [
      received(
        '-4h',
        `Hello, is the Saturday course "make your own frame" only for beginners? I am a retired cabinet maker and would come with my granddaughter (10). I promise not to correct anyone. Are there two places left in the next month?`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Left-handed scissors for the mats?',
    from: 'Tuuli Mäkelä <tuuli@makela.example>',
    status: 'closed',
    messages: [
      received(
        '12 08:18',
        `Moi! In the mat-cutting kit the cutter is for the right hand. My daughter and I are both left-handed and cut everything slanted the wrong way round 🙃 Is there another one?`,
      ),
      sent(
        '12 09:22',
        'sofia',
        `Moi Tuuli,\n\nthere is: the blade holder can be turned. Loosen the small brass screw, pull it out, turn it by 180°, put it back. I am left-handed too and did it on my first day here.\n\nSofia`,
      ),
      received('12 10:04', `It works! Ten years of slanted mats, and one screw. Kiitos!`),
    ],
  },
]
