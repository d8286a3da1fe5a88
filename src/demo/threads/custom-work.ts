import { file, pdf } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

const visit = `
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Realschule am See//Calendar//EN
METHOD:REQUEST
BEGIN:VEVENT
UID:visit-7c@realschule-am-see.example
DTSTAMP:{c1}T132000Z
DTSTART:{c+9}T090000Z
DTEND:{c+9}T100000Z
SUMMARY:Workshop visit, class 7c (24 pupils)
LOCATION:Larkwood, Ahornweg 8
ORGANIZER:mailto:achleitner@realschule-am-see.example
ATTENDEE;RSVP=TRUE:mailto:support@larkwood.example
END:VEVENT
END:VCALENDAR`

export const customWork: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'A frame for a letter from 1944',
    from: 'Ruth Abramowicz <ruth@abramowicz.example>',
    status: 'waiting',
    assignee: 'ada',
    client: 'apple',
    messages: [
      received(
        '8 10:40',
        `Dear Ms Lindqvist,\n\na friend gave me your name. I have a letter of my grandmother's, four pages, written on both sides in pencil. I would like to see all of it and still protect it. Is this possible at all?\n\nRuth Abramowicz`,
      ),
      sent(
        '8 12:10',
        'ada',
        `Dear Ruth,\n\nit is. We would put each sheet between two panes of museum glass with a thin spacer, so that the paper touches nothing, and make the frame to stand on a shelf and turn. Nothing is glued, and everything can be undone.\n\nBefore I say more I would like to see it. Please do not post it; I am glad to come to you.\n\nAda`,
      ),
      received('7 16:00', `I had not dared to hope for a visit. {w3} afternoon, at four? I will bake.`),
      sent('7 16:12', 'ada', `{w3} at four. I will bring sample corners in pear and in dark oak.\n\nAda`),
      received(
        '3 21:15',
        `Thank you for your patience today, and for reading it with me. Pear, please. Take the time you need.`,
      ),
      sent(
        '2 09:20',
        'ada',
        `Thank you for the cake and for your trust. The sketch follows at the end of next week.\n\nAda`,
      ),
    ],
    notes: [
      note('2 09:25', 'ada', 'No photographs of the letter in the shop or online, please. @Tom @Sofia'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Round frame, is that possible?',
    from: 'Isolde Krämer <isolde@kraemer.example>',
    status: 'closed',
    messages: [
      received(
        '18 09:44',
        `Guten Tag, könnten Sie einen runden Rahmen (60 cm) machen? Für ein gesticktes Bild meiner Großmutter.`,
      ),
      sent(
        '18 10:30',
        'tom',
        `Guten Tag Frau Krämer,\n\nrund können wir leider nicht gut: Unsere Maschinen mögen nur gerade Kanten. In der Nachbarstadt gibt es die Drechslerei Birnbaum, die macht es wunderbar, und Glas und Rückwand setzen wir danach gern ein.\n\nTom Keller`,
      ),
      received('18 11:00', `Vielen Dank für die ehrliche Antwort, ich frage dort nach.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Sixteen frames for a staircase',
    from: 'Emeka Eze <emeka@eze-architects.example>',
    status: 'open',
    assignee: 'tom',
    unread: ['ada', 'sofia'],
    client: 'outlook',
    messages: [
      received(
        '6 09:00',
        `Hello, for a client's staircase we need 16 frames whose widths follow the steps (see list). Same height, 30 cm. Walnut, 2 cm profile. Can you quote?\n\nEmeka Eze, Eze Architects`,
        {
          files: [
            file(
              'staircase.csv',
              'text/csv',
              `
no,width_cm,height_cm
1,21.0,30
2,22.5,30
3,24.0,30
4,25.5,30
5,27.0,30
6,28.5,30
7,30.0,30
8,31.5,30
9,33.0,30
10,34.5,30
11,36.0,30
12,37.5,30
13,39.0,30
14,40.5,30
15,42.0,30
16,43.5,30`,
            ),
          ],
        },
      ),
      sent(
        '5 15:15',
        'tom',
        `Hello Emeka,\n\nwhat a nice staircase. The quote is attached: 1 040 € with glass, four weeks. One question: do the frames hang level, or do they follow the slope? If they follow it, the hangers must be turned.\n\nTom`,
        {
          files: [
            pdf(
              'Quote-Q-0231.pdf',
              `
Quote Q-0231
Larkwood, Ahornweg 8
Date: {i5}, valid for 30 days

Eze Architects
16 x frame, walnut, made to measure     960.00 €
16 x hanger and hook                     80.00 €
Total                                  1040.00 €
Time needed: four weeks from your order`,
            ),
          ],
        },
      ),
      received(
        '1 11:30',
        `Level. The client accepts, with one change: number 7 should be in blue. "One surprise per house", she says. Same price?`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Matching a frame from 1978',
    from: 'Otto Baumgärtner <otto@baumgaertner.example>',
    status: 'closed',
    charset: 'iso-8859-1',
    client: 'thunderbird',
    language: 'de',
    messages: [
      received(
        '20 10:15',
        `Sehr geehrtes Team,\n\nich besitze seit 1978 zwei Rahmen, ein dritter ging beim Umzug verloren. Können Sie das Profil nachbauen? Ein Stück von 8 cm könnte ich schicken.\n\nOtto Baumgärtner`,
      ),
      sent(
        '20 11:50',
        'ada',
        `Sehr geehrter Herr Baumgärtner,\n\nschicken Sie gern das Stück. Wenn es Fichte ist, wie ich vermute, können wir das Profil fräsen und die Farbe angleichen. Ganz gleich wird es nie, aber an der Wand sieht man es nicht.\n\nAda Lindqvist`,
      ),
      received(
        '9 10:40',
        `Der Rahmen ist da. Ich habe die drei gemischt und weiß nun selbst nicht mehr, welcher der neue ist. Hut ab!\n\nOtto Baumgärtner`,
      ),
      sent(
        '9 11:00',
        'ada',
        `Das ist das schönste Lob. Der neue hat hinten links einen winzigen Punkt, falls Sie es je wissen wollen.\n\nAda Lindqvist`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Bench for a hallway, 83 cm',
    from: 'Soo-ah Lim <sooah@lim.example>',
    status: 'snoozed',
    snoozedHours: 26,
    assignee: 'ada',
    messages: [
      received(
        '9 13:13',
        `Hello, would you make a bench like the Otter stool, only 83 cm wide and with a shelf for shoes? Our hallway has exactly that niche.`,
      ),
      sent(
        '9 15:40',
        'ada',
        `Hello Soo-ah,\n\nyes, with one condition: at that width it needs a fifth leg or a rail. I would take the rail, it can be the front of your shoe shelf. In ash about 310 €. Shall I draw it?\n\nAda`,
      ),
      received('8 09:30', `Please draw it! We are in no hurry.`),
    ],
    notes: [note('8 09:45', 'ada', 'Drawing promised, snoozed to remind me.')],
  },
  {
    inbox: 'support',
    subject: 'Company logo on twenty frames',
    from: 'Valentina Greco <v.greco@brunello-dental.example>',
    status: 'waiting',
    client: 'outlook',
    messages: [
      received(
        '7 14:50',
        `Dear Sirs, our dental practice would like twenty frames for certificates, with our small logo burnt into the lower edge. Is this possible, and in which format do you need the logo?\n\nDott.ssa Valentina Greco`,
      ),
      sent(
        '7 15:45',
        'sofia',
        `Dear Dr Greco,\n\nit is, and we are two Ladies and a Tom 🙂 For the brand we need the logo as a vector file, black and white, at least 1 cm wide. The stamp costs 60 € once, each burn 2 €.\n\nSofia`,
      ),
      received(
        '6 16:30',
        `My apologies, and the file is attached as a picture for now. Our designer will send the vector.`,
        {
          files: [photo('logo-in-frame.png', { frame: 'white', motif: 'empty' })],
        },
      ),
      sent(
        '6 17:10',
        'sofia',
        `Thank you, that gives me an idea of the size. I wait for the vector and then send you a burnt sample.\n\nSofia`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Visit to your workshop with a school class',
    from: 'Benedikt Achleitner <achleitner@realschule-am-see.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    messages: [
      received(
        '1 13:20',
        `Dear Larkwood,\n\nI teach crafts to 24 pupils aged 12. Could we visit you for an hour before the holidays? I have put a proposal into the calendar invitation, any other day is fine as well.\n\nBenedikt Achleitner`,
        {
          invitation: visit,
          files: [file('invite.ics', 'application/ics', visit)],
        },
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Repair of a chair that is not yours',
    from: 'Philippa Worthing <pippa@worthing.example>',
    status: 'closed',
    messages: [
      received(
        '16 11:50',
        `Hello, I know it's cheeky: my favourite chair (not from you) has a broken back rest. Nobody repairs anything any more. Would you?`,
      ),
      sent(
        '16 12:35',
        'tom',
        `Hello Philippa,\n\nnot cheeky at all. If it can be carried, bring it in on a {w13} afternoon, that is when I do the strange things. I only ask that you let me tell you if it would be kinder to let it go.\n\nTom`,
      ),
      received(
        '12 19:00',
        `It lives! And you only charged for the glue. I left a cake with Sofia, please check whether any of it reached you.`,
      ),
      sent('11 08:40', 'tom', `One slice. I have my suspicions.\n\nTom`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Frame for my drawing (I am an artist)',
    from: 'Wanjiru Kamau <wanjiru@kamau.example>',
    status: 'open',
    assignee: 'sofia',
    messages: [
      received(
        '4 14:30',
        `Hi! I sell drawings at markets and would like to offer them framed. 30 to 40 a year, all 30 × 40, mostly oak. Is there a price for people like me, between "one" and "hotel"?`,
      ),
      sent(
        '4 15:20',
        'sofia',
        `Hi Wanjiru,\n\nthere is now: from ten a year, 15 % off, and you can order three at a time. May I see some drawings? We have an empty wall by the till.\n\nSofia`,
      ),
      received(
        '2 22:40',
        `I cannot believe it. Here is one, photographed badly at night. The wall by the till would make my year!\n\n[image: drawing.png]`,
        {
          files: [photo('drawing.png', { frame: 'oak', motif: 'harbour' })],
        },
      ),
    ],
  },
]
