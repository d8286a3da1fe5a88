import { file, pdf } from '../documents.ts'
import { everyone, note, proposed, received, sent, type DemoThread } from '../thread.ts'

export const wholesale: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Your frames in our shop?',
    from: 'Papeterie Lumière <bonjour@papeterie-lumiere.example>',
    status: 'waiting',
    assignee: 'ada',
    client: 'gmail',
    messages: [
      received(
        '8 14:05',
        `Hello! We are a small stationery shop with a large window. Would you let us sell your 20 × 30 frames? We would begin with twelve, mixed colours.\n\nManon, Papeterie Lumière`,
      ),
      sent(
        '8 15:50',
        'ada',
        `Hello Manon,\n\na large window is a good argument. Our price for shops is 40 % under the list from ten pieces, delivered free from thirty. Is there anything of ours that you would rather not have? Red is slow.\n\nAda`,
      ),
      received(
        '6 10:20',
        `Red is slow everywhere 😄 Four blue, four oak, two green, two white. And do you have a small sign with your story?`,
      ),
      sent(
        '6 11:05',
        'ada',
        `Order 4685 is written down. The sign is in the box: birch, 15 cm, it stands by itself. The story on it is true.\n\nAda`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Price list for resellers',
    from: 'Wolfram Eisenbarth <einkauf@eisenbarth-wohnen.example>',
    status: 'closed',
    client: 'outlook',
    messages: [
      received(
        '20 13:05',
        `Dear Sir or Madam,\n\nplease send your current price list for resellers, including minimum quantities and terms of payment.\n\nEisenbarth Wohnen\nPurchasing`,
      ),
      sent(
        '20 14:30',
        'tom',
        `Dear Mr Eisenbarth,\n\nplease find it attached, as a table and on paper.\n\nTom Keller`,
        {
          files: [
            file(
              'resellers.csv',
              'text/csv',
              `
article,size_cm,list_eur,reseller_eur,minimum
Frame (all woods),20x30,39,23.40,10
Frame (all woods),30x40,48,28.80,10
Frame (all woods),50x70,79,47.40,5
Frame (all woods),70x100,129,77.40,5
Print,30x40,35,21.00,10
Otter stool,,120,78.00,4`,
            ),
            pdf(
              'Larkwood-resellers.pdf',
              `
Price list for resellers
Valid from {i30}

Frame 20 x 30 cm      23.40 €   (from 10)
Frame 30 x 40 cm      28.80 €   (from 10)
Frame 50 x 70 cm      47.40 €   (from 5)
Frame 70 x 100 cm     77.40 €   (from 5)
Payment: 30 days, 2 % off within 10 days`,
            ),
          ],
        },
      ),
      received('15 16:40', `Thank you. We will come back to you after the furniture fair.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Frames for 60 hospital rooms',
    from: 'Dr. Amina Rahimi <a.rahimi@klinik-sonnenberg.example>',
    status: 'open',
    assignee: 'tom',
    unread: ['ada'],
    messages: [
      received(
        '5 08:25',
        `Dear Larkwood, our children's ward would like a picture in each of its 60 rooms. Conditions: no glass, wipeable with disinfectant, cannot be taken off the wall by a determined five-year-old. Is there such a frame?`,
      ),
      sent(
        '5 09:55',
        'tom',
        `Dear Dr Rahimi,\n\nthe determined five-year-old is the standard by which we test. Acrylic, a lacquered Snow frame and a hidden lock on the hanger: 41 € a piece at 60. I would send you two samples to wipe as often as you like.\n\nTom`,
      ),
      received(
        '2 13:30',
        `The samples came. Wiped 200 times by our hygiene nurse (she enjoyed it), no change. The five-year-old needed four minutes for the lock. Could it be made more difficult?`,
      ),
    ],
    notes: [
      note(
        '2 14:00',
        'tom',
        '@Ada the lock with the second pin would do it, 3 € more. Or we take it on us, for a children’s ward?',
      ),
      note('2 14:08', 'ada', 'On us.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Tea house: forty small frames for the menu',
    from: 'Mei-Ling Chou <meiling@chou-tea.example>',
    status: 'closed',
    messages: [
      received(
        '16 07:30',
        `Hello, for our new tea house we look for 40 frames of 15 × 20 to stand on the tables with the menu (菜單). They will be touched all day with wet fingers.`,
      ),
      sent(
        '16 09:10',
        'sofia',
        `Hello Mei-Ling,\n\nthen I would take oiled oak without any lacquer: it gets nicer the more it is touched, and you can oil it again. 40 in 15 × 20 with a foot and acrylic are 760 €.\n\nSofia`,
      ),
      received('15 08:00', `Nicer the more it is touched, like our teapots. We take them. 謝謝!`),
      sent('6 14:00', 'sofia', `All forty left today in two boxes, PH-88251 and PH-88252.\n\nSofia`),
      received('3 11:50', `They are on the tables. You have free tea for life 🍵`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Stand at the Christmas market',
    from: 'Marktamt Lindental <marktamt@lindental.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    messages: [
      received(
        '10 10:00',
        `Dear applicants,\n\nyour application for the Christmas market has been received. The places will be drawn by lot.`,
      ),
      received(
        '2 09:00',
        `Dear Larkwood,\n\nyou have been drawn for hut 17 (3 × 2 m, next to the roasted almonds). Please confirm by {d+3} and state the electrical power you need. Hut 17 has a slight lean to the left.\n\nMarktamt Lindental`,
      ),
    ],
    notes: [
      note(
        '2 09:30',
        'sofia',
        '@Ada @Tom hut 17! A slight lean to the left, we know a customer who can help with that 😄',
      ),
    ],
    drafts: [
      proposed(
        '10 10:20',
        `
Dear Sir or Madam,

thank you for telling us that our application for the Christmas market has been received. We keep our fingers crossed for the draw.

Best regards`,
        ['The places will be drawn by lot'],
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Exclusive sale in the islands?',
    from: 'Kalani Makoa <kalani@makoa-home.example>',
    status: 'waiting',
    messages: [
      received(
        '9 02:20',
        `Aloha, we would like to be the only shop here that carries Larkwood. We would take 100 frames a year. Would you agree to that?`,
      ),
      sent(
        '9 10:40',
        'ada',
        `Dear Kalani,\n\nthank you, that is an honour from so far away. We do not sign exclusive contracts, but nobody else there has asked in ten years, so in practice you would be. What about humidity? Our glue has never been in the tropics, and I would want to test that for a season first.\n\nAda`,
      ),
      received(
        '7 03:10',
        `An honest answer, I like it. Send me six to suffer in my shop window for a season?`,
      ),
      sent('7 09:15', 'ada', `Six are on their way, at our cost. Please be cruel to them.\n\nAda`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Sample corners for an architect',
    from: 'Tancredi Bellini <studio@bellini-tancredi.example>',
    status: 'closed',
    messages: [
      received(
        '17 15:00',
        `Good afternoon, may I have sample corners of all seven woods and colours for our material library? We pay, of course.`,
      ),
      sent(
        '17 15:25',
        'sofia',
        `Good afternoon Tancredi,\n\nthe set of seven is free for architects and leaves tomorrow. It comes in a small box that most people then use for pencils.\n\nSofia`,
      ),
      received('13 12:10', `Received. The pencils have moved in.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Credit limit of Hotel Adler',
    from: 'Friederike Amsel <einkauf@hotel-adler.example>',
    status: 'open',
    assignee: 'ada',
    client: 'outlook',
    messages: [
      received(
        '2 15:55',
        `Dear Larkwood,\n\nbefore our large order for the rooms goes out, our accounts department would like to know your terms: deposit, part invoices for each delivery, days to pay. They also ask for a tax certificate of this year.\n\nFriederike Amsel\nHotel Adler`,
      ),
    ],
    notes: [
      note('2 16:20', 'tom', 'Goes with her bulk order in Support. @Ada 30 % deposit as always?'),
      note(
        '2 16:31',
        'ada',
        'Yes, and three part invoices. I answer both together, so that they do not contradict each other.',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Commission for the third quarter',
    from: 'Papeterie am Markt <kasse@papeterie-am-markt.example>',
    status: 'closed',
    messages: [
      received(
        '22 09:45',
        `Good morning, here are the sales of your frames in our shop from July to September. We sold 19 and keep a third. Please write an invoice for the rest.`,
        {
          files: [
            file(
              'sales-q3.csv',
              'text/csv',
              `
month,article,pieces,price_eur
7,Fjord 20x30,4,39
7,Hazel 20x30,2,39
8,Fjord 20x30,5,39
8,Meadow 20x30,1,39
9,Hazel 30x40,3,48
9,Fjord 30x40,4,48`,
            ),
          ],
        },
      ),
      sent(
        '22 11:00',
        'tom',
        `Good morning,\n\n12 × 39 plus 7 × 48 is 804 €, two thirds are 536 €. Invoice 2026-100 is attached. The blue one again, I see.\n\nTom`,
        {
          files: [
            pdf(
              'Invoice-2026-100.pdf',
              `
Invoice 2026-100
Papeterie am Markt

12 x frame 20 x 30 cm     468.00 €
 7 x frame 30 x 40 cm     336.00 €
Sales                     804.00 €
less commission (1/3)     268.00 €
To be paid                536.00 €`,
            ),
          ],
        },
      ),
      received('21 08:15', `Always the blue one. Paid this morning.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Two percent for early payment',
    from: 'Gisela Rautenberg <gisela@rautenberg-moebel.example>',
    status: 'closed',
    client: 'thunderbird',
    messages: [
      received(
        '14 10:44',
        `Hello, we paid 2026-105 on the eleventh day and took off the 2 % for ten days. Your reminder asks for the missing 7.84 €. Day ten was a Sunday.`,
      ),
      sent(
        '14 11:12',
        'tom',
        `Hello Ms Rautenberg,\n\na Sunday does not count, you are quite right. The 7.84 € are forgiven and forgotten.\n\nTom`,
      ),
    ],
  },
]
