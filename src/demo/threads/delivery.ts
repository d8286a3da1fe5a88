import { file, pdf } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const deliveries: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Parcel left in the rain',
    from: 'Fiona Gallagher <fiona@gallagher.example>',
    status: 'waiting',
    assignee: 'sofia',
    messages: [
      received(
        '3 16:33',
        `
Hiya,

your courier left order 4699 on the step in a downpour and took a photo of it as "proof of delivery". The box is soup. The frame seems alright but the backing board has gone wavy.

[image: soup.png]

Fiona`,
        { files: [photo('soup.png', { frame: 'oak', damage: 'box' })] },
      ),
      sent(
        '3 16:59',
        'sofia',
        `
Hi Fiona,

a photo of their own crime, well done them. I am sending you a new backing board and four clips today, no need to return anything. If the frame itself begins to open at the corners in the next days, write to me and you get a new one.

Sofia`,
      ),
    ],
    notes: [
      note(
        '3 17:05',
        'sofia',
        '@Tom fourth wet parcel with Packhorse this autumn. Could you raise it in the call on {w+2}?',
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Tracking number PH-88213 not found',
    from: 'Arjun Mehta <arjun.mehta@mehta.example>',
    status: 'closed',
    messages: [
      received(
        '16 09:25',
        `Hello, the tracking number PH-88213 you sent me says "no such shipment". Has my order 4647 really been sent?`,
      ),
      sent(
        '16 09:50',
        'tom',
        `Hello Arjun,\n\nit has, the van was here at eight. The number wakes up once the parcel reaches the first depot, usually by the evening. If it is still unknown tomorrow, I will chase it.\n\nTom`,
      ),
      received('15 07:40', `Now it shows up. Thank you, please ignore my worry.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Neighbour has my parcel, but which one?',
    from: 'Lucía Fernández <lucia@fernandez.example>',
    status: 'closed',
    language: 'es',
    messages: [
      received(
        '13 18:55',
        `
Hola:

El mensajero dejó una nota: «entregado a un vecino». Vivimos 64 familias en este edificio 😅 ¿Me podéis decir a quién? Pedido 4659.

Un saludo,
Lucía Fernández`,
      ),
      sent(
        '12 09:05',
        'sofia',
        `Hola Lucía:\n\nLo he preguntado: lo tiene la señora Ortega, escalera B, tercero izquierda. Dice que cierra a las nueve porque ve su serie.\n\nSofia`,
      ),
      received('12 20:10', `¡Recogido! Y me quedé a ver la serie. Gracias 😂`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Delivery on a Saturday?',
    from: 'Chidi Okafor <chidi@okafor.example>',
    status: 'waiting',
    messages: [
      received(
        'sat1 11:20',
        `Good morning, both of us work during the week and the depot is an hour away. Is there any way to have order 4706 delivered on a Saturday, or to my office?`,
      ),
      sent(
        '-5h',
        'tom',
        `Good morning Chidi,\n\nthe office is easy: send me the address and I change the label before it leaves. Saturday costs 9 € more and only works in cities, so I would take the office.\n\nTom`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Customs form for Switzerland',
    from: 'Urs Zürcher <urs@zuercher.example>',
    status: 'closed',
    client: 'outlook',
    language: 'de',
    messages: [
      received(
        '19 14:02',
        `Grüezi\n\nDer Zoll verlangt für die Sendung PH-87710 eine Handelsrechnung in dreifacher Ausführung. Können Sie mir diese zusenden?\n\nFreundliche Grüsse\nUrs Zürcher`,
      ),
      sent(
        '19 15:10',
        'ada',
        `Grüezi Herr Zürcher,\n\ngerne, im Anhang. Sie muss nur einmal unterschrieben werden, das habe ich schon getan. Falls der Zoll noch etwas braucht, rufe ich dort selbst an.\n\nFreundliche Grüsse\nAda Lindqvist`,
        {
          files: [
            pdf(
              'Handelsrechnung-4622.pdf',
              `
Handelsrechnung / Commercial invoice 4622
Larkwood, Ahornweg 8
Datum: {i19}

Empfänger: Urs Zürcher, Seestrasse 19
1 x Bilderrahmen Hazel, Eiche, 70 x 100 cm     129.00 €
1 x Druck "Winter Allotments"                   35.00 €
Ursprung: EU, handgefertigt
Gesamtwert: 164.00 €`,
            ),
          ],
        },
      ),
      received('15 08:20', `Besten Dank, das Paket wurde gestern freigegeben.\n\nUrs Zürcher`),
    ],
  },
  {
    inbox: 'support',
    subject: '配送日の変更について',
    from: '佐藤 美咲 <misaki@sato.example>',
    status: 'waiting',
    client: 'gmail',
    messages: [
      received(
        '5 03:12',
        `
Larkwood 御中

お世話になっております。注文番号 4697 の佐藤と申します。
{w+3} は不在にしておりますので、配送を一週間ほど遅らせていただくことは可能でしょうか。

(In short: please deliver one week later, we are away. Sorry for my English.)

どうぞよろしくお願いいたします。
佐藤 美咲`,
      ),
      sent(
        '5 09:02',
        'ada',
        `Dear Ms Sato,\n\nyour English is very good, and the change is done: we keep the parcel here and send it on {d+6}, so it reaches you after your journey. どうぞ良いご旅行を。\n\nAda`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Only one of two boxes came',
    from: 'Ravi Subramaniam <ravi@subramaniam.example>',
    status: 'open',
    assignee: 'tom',
    unread: everyone,
    messages: [
      received(
        '2 17:44',
        `Hi, order 4698 should be a Badger bedside table AND its drawer insert. One box came, the label says "1/2". Where is 2/2?`,
      ),
      sent(
        '1 08:50',
        'tom',
        `Hi Ravi,\n\nbox 2 is in the depot in the next town, its label had come off. They found it by your name on the inside, so it should come tomorrow.\n\nTom`,
      ),
      received(
        '-2h',
        `Just now a box 2/2 came. But inside are four blue frames, not my drawer insert. Somebody else is surely missing them!`,
      ),
    ],
    notes: [
      note(
        '-110m',
        'sofia',
        '@Tom four blue ones: that could be the Café Blum order, they asked this morning.',
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Where are our four blue frames?',
    from: 'Café Blum <hallo@cafe-blum.example>',
    status: 'open',
    unread: everyone,
    client: 'apple',
    messages: [
      received(
        '-3h',
        `Good morning! We expected four Fjord frames (order 4700) by yesterday. Our exhibition opens on {w+2} evening and the walls are still bare. Should we be nervous?\n\nLina & Paul, Café Blum ☕`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Lift is broken, please do not send the cabinet',
    from: 'Margit Sørensen <margit@soerensen.example>',
    status: 'snoozed',
    snoozedHours: 118,
    assignee: 'tom',
    messages: [
      received(
        '4 08:15',
        `Hello, our lift is out of order until the end of next week, and I live on the sixth floor with two new hips. Please wait with the Magpie cabinet (4693) until I write again.\n\nMargit Sørensen`,
      ),
      sent(
        '4 08:44',
        'tom',
        `Hello Margit,\n\nit stays here, dry and warm, for as long as you like. I will ask again at the end of next week. Take care of the hips.\n\nTom`,
      ),
    ],
    notes: [note('4 08:46', 'tom', 'Snoozed. Cabinet is on the top rack with a yellow note.')],
  },
  {
    inbox: 'support',
    subject: 'Proof of delivery for order 4630',
    from: 'Packhorse Parcels Claims <claims@packhorse.example>',
    status: 'closed',
    client: 'outlook',
    messages: [
      received(
        '17 13:11',
        `Dear customer,\n\nregarding your claim C-2231 (order 4630, recipient reports non-receipt): please find our driver's record attached. The parcel was handed to a person at the address.\n\nPackhorse Parcels\nClaims desk`,
        {
          files: [
            file(
              'driver-record.txt',
              'text/plain',
              `
Claim      C-2231
Shipment   PH-87802
{i19} 08:02  loaded, van 14
{i19} 11:37  no answer at door
{i19} 11:41  handed over at number 17 (bakery), name given: "Rosi"
{i19} 11:41  signature on device`,
            ),
          ],
        },
      ),
      sent(
        '17 14:00',
        'tom',
        `Thank you. The bakery says that Rosi put it under the counter and went on holiday. Found, claim closed.\n\nTom Keller`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'تأخر الطلب رقم 4677',
    from: 'ليلى منصور <layla@mansour.example>',
    status: 'closed',
    client: 'gmail',
    messages: [
      received(
        '9 18:25',
        `مرحبا،\n\nطلبت إطارا أزرق قبل أسبوعين (رقم 4677) ولم يصل بعد. هل يمكنكم التحقق من الأمر؟\n\nHello, my blue frame has not come after two weeks. Could you check, please?\n\nشكرا جزيلا\nليلى منصور`,
      ),
      sent(
        '8 09:30',
        'ada',
        `Dear Layla,\n\nthank you for writing in both languages. The parcel waited at customs for a missing phone number. I gave them ours, and it left this morning; you should have it in two or three days.\n\nشكرا لصبرك\nAda`,
      ),
      received('5 15:15', `وصل اليوم، وهو جميل جدا! Thank you 🌷`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Your courier was lovely',
    from: 'Noah van Dijk <noah@vandijk.example>',
    status: 'closed',
    messages: [
      received(
        '19 17:07',
        `Just a quick one: the driver carried the shelf up four floors AND waited while I found my glasses to sign. No idea what his name was, van 14. Please tell someone!`,
      ),
      sent(
        '18 09:12',
        'sofia',
        `Dear Noah,\n\nI told his boss, who told him. His name is Emil, and he says that your cat is the nicest on his tour.\n\nSofia`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Moving abroad before the order is ready',
    from: 'Anneke de Wit <anneke@dewit.example>',
    status: 'waiting',
    messages: [
      received(
        '9 10:48',
        `Dear Larkwood, I ordered a framed Heron (4675, ready in three weeks), but my new job starts sooner than I thought, and by then I will live in Lisbon. Can you send it there, and what would it cost?`,
      ),
      sent(
        '9 12:15',
        'sofia',
        `Dear Anneke,\n\nLisbon, how nice, I grew up not far from there. It is 12 € more. Do you have the new address yet, or shall we wait?\n\nSofia`,
      ),
      received(
        '6 21:30',
        `No address yet, I sleep on a friend's sofa until the first. Let us wait. Any tips for a good pastel de nata?`,
      ),
      sent(
        '5 09:25',
        'sofia',
        `We wait. As for the pastéis: never where there is a queue of people with suitcases. Ask the oldest person in your street.\n\nSofia`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Delivery note with prices in a gift',
    from: 'Matteo Ricciardi <matteo@ricciardi.example>',
    status: 'closed',
    messages: [
      received(
        '14 19:36',
        `Ciao, you sent my present straight to my father-in-law, with a delivery note and ALL the prices. He now knows that he is worth 48 € 😬 Can this be avoided next time?`,
      ),
      sent(
        '13 09:40',
        'tom',
        `Ciao Matteo,\n\nthat should not have happened: you had ticked "this is a gift". The packing list ignored it for framed prints, and from today it does not. As a small apology there is a 15 € voucher in your account, enough to make him worth 63.\n\nTom`,
      ),
      received('13 10:05', `Ha! Apology accepted. Grazie.`),
    ],
    notes: [
      note(
        '13 09:48',
        'tom',
        'Packing list template fixed for framed prints. @Sofia please check the next three gifts by hand.',
      ),
      note('12 16:20', 'sofia', 'Checked three, no prices on any.'),
    ],
  },
]
