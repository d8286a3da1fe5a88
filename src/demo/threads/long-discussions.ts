import { file } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

const dorothea = 'Dorothea Vogt <vogt@stadtbibliothek.example>'
const imran = 'Imran Qureshi <imran@qureshi-photo.example>'
const nell = 'Nell Ashworth <nell@ashworth.example>'
const joost = 'Joost Verhagen <joost@verhagen-druk.example>'
const celia = 'Celia Moreau <celia@moreau-studio.example>'

export const longDiscussions: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Exhibition in the town library: who brings what?',
    from: dorothea,
    status: 'open',
    assignee: 'sofia',
    unread: ['ada', 'tom'],
    client: 'outlook',
    messages: [
      received(
        '19 09:12',
        `Dear Larkwood, dear Imran, dear Nell,\n\nthe library wants to show Imran's photographs of the old harbour from {d+6} on. You all said yes at the market, one after the other and with a sausage in hand, so here we go in writing. Who brings what?\n\nDorothea Vogt\nStadtbibliothek`,
        { cc: `${imran}, ${nell}` },
      ),
      sent(
        '19 10:05',
        'sofia',
        `Dear Dorothea,\n\nwe bring the frames: 24 of them, on loan, oak or white as Imran likes. I need sizes two weeks before the opening.\n\nSofia`,
        { cc: `${imran}, ${nell}` },
      ),
      received(
        '19 13:40',
        `White, please, and thank you! I have 31 pictures I love and 24 frames. This will hurt.\n\nImran`,
        { from: imran, cc: `${dorothea}, ${nell}` },
      ),
      received(
        '19 20:22',
        `I can bring: a ladder, a spirit level, my son (tall). I cannot bring: patience for picture hooks. Does the library have rails?\n\nNell`,
        { from: nell, cc: `${dorothea}, ${imran}` },
      ),
      received(
        '18 08:30',
        `Rails yes, on three walls. On the fourth there is the fire cabinet, which must stay free. The caretaker, Mr Petrov, watches over it like a dragon.\n\nDorothea`,
        { cc: `${imran}, ${nell}` },
      ),
      sent(
        '18 09:15',
        'tom',
        `Tom here, I build the thing. Three walls, 24 frames, so eight on each. Could somebody measure the rails? I need the length and the height above the floor.\n\nTom`,
        { cc: `${imran}, ${nell}` },
      ),
      received(
        '17 17:45',
        `Measured, with my son as a pole. Left 6.10 m, middle 8.40 m, right 6.05 m, all at 2.55 m.\n\nNell`,
        { from: nell, cc: `${dorothea}, ${imran}` },
      ),
      sent(
        '16 11:30',
        'tom',
        `Then not 8 + 8 + 8 but 7 + 10 + 7, with 25 cm between the frames. It looks calmer. Sketch in words: small ones outside, the large ones in the middle of the long wall.\n\nTom`,
        { cc: `${imran}, ${nell}` },
      ),
      received(
        '16 12:02',
        `7 + 10 + 7 is lovely, and it is music: a wall, a chorus, a wall. I am down to 26 pictures. Two more have to go. Nobody speak to me.\n\nImran`,
        { from: imran, cc: `${dorothea}, ${nell}` },
      ),
      received(
        '14 10:50',
        `A practical matter: the city's insurance asks for a list with values. Imran, may I have one? And Larkwood, what is one frame worth?\n\nDorothea`,
        { cc: `${imran}, ${nell}` },
      ),
      sent(
        '14 11:20',
        'sofia',
        `One Snow frame: 52 € in 40 × 50, 79 € in 50 × 70. The whole loan is 1 410 €. I attach the list, Imran only has to fill in his column.\n\nSofia`,
        {
          cc: `${imran}, ${nell}`,
          files: [
            file(
              'loan-list.csv',
              'text/csv',
              `
wall,position,size_cm,frame_eur,photograph,photograph_eur
left,1-7,40x50,52,,
middle,1-2,40x50,52,,
middle,3-8,50x70,79,,
middle,9-10,40x50,52,,
right,1-7,40x50,52,,`,
            ),
          ],
        },
      ),
      received(
        '13 22:15',
        `Filled in and sent to Dorothea. Each photograph is worth 90 €, except number 12, which is worth nothing and everything.\n\nHere is number 12:\n\n[image: number-12.png]\n\nImran`,
        {
          from: imran,
          cc: `${dorothea}, ${nell}`,
          files: [photo('number-12.png', { frame: 'white', motif: 'harbour' })],
        },
      ),
      received(
        '12 08:40',
        `Insurance has said yes. It calls number 12 "object without commercial value", I hope that is all right.\n\nDorothea`,
        { cc: `${imran}, ${nell}` },
      ),
      received(
        '9 19:05',
        `Hanging day: my son is free on {w+4} from three. Can somebody bring a second ladder? And who opens the door? Mr Petrov goes home at four.\n\nNell`,
        { from: nell, cc: `${dorothea}, ${imran}` },
      ),
      sent(
        '8 09:20',
        'sofia',
        `I bring the frames, a second ladder and coffee at three. @ all: please wear gloves or wash your hands, white shows everything.\n\nSofia`,
        { cc: `${imran}, ${nell}` },
      ),
      received(
        '8 09:45',
        `I have spoken with Mr Petrov. He stays until six, on one condition: he would like to hang one picture himself.\n\nDorothea`,
        { cc: `${imran}, ${nell}` },
      ),
      received('8 10:10', `He shall hang number 12.\n\nImran`, { from: imran, cc: `${dorothea}, ${nell}` }),
      received(
        '1 15:50',
        `Dear all, two last questions from the press office: what is the title, and may the local paper take a picture while you hang? They need both by tomorrow noon. Sofia, could you also tell me how you wish to be named on the poster: "frames by Larkwood" or "with kind support"?\n\nDorothea`,
        { cc: `${imran}, ${nell}` },
      ),
    ],
    notes: [
      note('16 11:00', 'tom', '@Sofia are 24 Snow frames on loan fine, with the gallery wanting 22 as well?'),
      note('16 11:10', 'sofia', 'Dates do not overlap, I checked. Same frames for both!'),
      note('8 09:25', 'ada', 'Lovely project. I would like to come to the opening, put me down for a salad.'),
      note('1 16:05', 'sofia', '@Ada poster: "frames by Larkwood"?'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Six frames and a kitchen wall that is not straight',
    from: 'Magnus Thorvaldsen <magnus@thorvaldsen.example>',
    status: 'closed',
    assignee: 'ada',
    client: 'gmail',
    messages: [
      received(
        '23 10:00',
        `Hello, I want to hang six frames of 30 × 40 in two rows over our kitchen bench. The problem: the wall leans and the ceiling slopes. Whatever I do looks wrong. Do you give advice as well?\n\nMagnus`,
      ),
      sent(
        '23 11:10',
        'ada',
        `Hello Magnus,\n\nwe do, it is the best part. Could you photograph the wall from the far end of the room, and tell me how much the ceiling drops from left to right?\n\nAda`,
      ),
      received(
        '22 18:30',
        `It drops 6 cm over 2.4 m. The bench is level, I built it myself. The house was built by my grandfather, who did not own a level.`,
      ),
      sent(
        '21 09:40',
        'ada',
        `Then follow the bench and ignore the ceiling. The eye reads the lower edge first. Lower row: 30 cm above the bench, all level. How high is the space above it?\n\nAda`,
      ),
      received('21 12:15', `92 cm on the left, 86 on the right.`),
      sent(
        '21 13:00',
        'ada',
        `Two rows of 40 plus 6 between them is 86. That would touch the ceiling on the right. Take the frames landscape: 30 + 6 + 30 = 66, which leaves 20 to 26 above. The slope then looks like intention.\n\nAda`,
      ),
      received(
        '20 20:10',
        `Landscape! Why did I never think of that? But three of my pictures are portrait. They are portraits, in fact. Of my aunts.`,
      ),
      sent(
        '19 10:20',
        'ada',
        `The aunts may stand. Three aunts upright in the middle, 40 high, and a landscape pair left and right of them, one above the other. That makes seven frames. Could there be a seventh picture?\n\nAda`,
      ),
      received(
        '19 19:45',
        `There are only two aunts on paper. The third has always refused to be photographed.`,
      ),
      sent(
        '18 09:00',
        'ada',
        `Then two aunts in the middle, and four landscapes around them. Six frames, as you wanted. I have made a drawing:\n\n   [ 1 ]  |A|  |A|  [ 3 ]\n   [ 2 ]  |1|  |2|  [ 4 ]\n\nAda`,
      ),
      received(
        '18 18:20',
        `I cut it out of newspaper and taped it to the wall. My wife came in, said nothing, and then moved aunt 2 by one centimetre. I think this means yes.`,
      ),
      sent('17 09:30', 'ada', `That is the strongest yes there is. Which wood?\n\nAda`),
      received('17 12:40', `Oak for the landscapes, the blue one for the aunts. They would have liked that.`),
      sent(
        '17 14:00',
        'ada',
        `Order 4639 is ready for you to confirm. I add a paper template with all the nail holes in their places, then you need not measure anything.\n\nAda`,
      ),
      received(
        '10 17:30',
        `They hang. Photo attached. The third aunt has seen it and now asks whether there is room for one more.\n\nMagnus`,
        {
          files: [photo('the-wall.png', { frame: 'blue', motif: 'pears' })],
        },
      ),
      sent('9 08:50', 'ada', `There is always room for one more aunt. Thank you for this, Magnus.\n\nAda`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Spring catalogue: paper, dates and one wrong green',
    from: joost,
    status: 'waiting',
    assignee: 'tom',
    client: 'apple',
    messages: [
      received(
        '16 09:30',
        `Dear Tom, the quote for the spring catalogue is ready: 2 000 copies, 32 pages, stapled. On uncoated paper 1 890 €, on coated 1 760 €. Celia gets a copy of this mail because of the pictures.\n\nJoost Verhagen`,
        { cc: celia },
      ),
      sent(
        '16 10:15',
        'tom',
        `Thank you, Joost. We prefer uncoated, shiny paper does not go with oiled wood. Celia, do the pictures survive it?\n\nTom`,
        { cc: celia },
      ),
      received(
        '16 15:45',
        `They survive, but they will be about a tenth darker. I would lift the shadows and send new files on {w12}. The green of Meadow worries me, it is already on the edge.\n\nCelia`,
        { from: celia, cc: joost },
      ),
      received('15 08:20', `A test sheet costs 40 €. I recommend it, for the green alone.\n\nJoost`, {
        cc: celia,
      }),
      sent('15 08:40', 'tom', `Please make one. Better 40 € than 2 000 wrong frames.\n\nTom`, { cc: celia }),
      received(
        '12 18:00',
        `New files are on your server, Joost, in the folder "spring-v2". Please ignore "spring-v2-final", that was a moment of weakness.\n\nCelia`,
        { from: celia, cc: joost },
      ),
      received(
        '10 11:15',
        `The test sheet is printed and on its way to both of you. My own eye says: oak good, walnut good, blue very good, green is now the green of a hospital.\n\nJoost`,
        { cc: celia },
      ),
      sent(
        '8 14:20',
        'tom',
        `It is here. I held the real frame next to it, in daylight. The print is too blue by quite a bit. Celia, do you see the same?\n\nTom`,
        { cc: celia },
      ),
      received(
        '8 16:35',
        `I do. It is the profile, not the picture: Joost's machine has a newer one than the one that I was given in summer. Joost, could you send it?\n\nCelia`,
        { from: celia, cc: joost },
      ),
      received(
        '7 08:05',
        `Attached to this you will find my apology and not the profile, because the file is too large for mail. It is on the server now. The mistake is ours, so the second test is free.\n\nJoost`,
        { cc: celia },
      ),
      received('5 17:50', `Converted again. On my screen it is moss at last.\n\nCelia`, {
        from: celia,
        cc: joost,
      }),
      received(
        '3 10:40',
        `Second sheet printed. I showed it to my father, who has printed greens for fifty years. He nodded once. That is a lot.\n\nJoost`,
        { cc: celia },
      ),
      sent(
        '2 09:50',
        'tom',
        `If your father nods, we print. Go ahead with 2 000, uncoated, stapled. Could we have the first 200 by {d+8}, for a fair?\n\nTom`,
        { cc: celia },
      ),
    ],
    notes: [
      note(
        '8 14:30',
        'tom',
        '@Ada the green is off, so the catalogue will be a week later. I have told the fair.',
      ),
      note('8 14:41', 'ada', 'Fine. Rather late than hospital.'),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Statement of account: three payments, two invoices',
    from: 'Henrike Osterloh <osterloh@kontor-osterloh.example>',
    status: 'open',
    assignee: 'ada',
    unread: everyone,
    client: 'thunderbird',
    messages: [
      received(
        '13 08:30',
        `Good morning,\n\nI keep the books of Café Blum. According to them we have paid you three times since summer (79.00, 158.00 and 79.00 €), but I have two invoices only (2026-071 and 2026-094). Which one am I missing?\n\nHenrike Osterloh`,
      ),
      sent(
        '13 09:45',
        'tom',
        `Good morning Ms Osterloh,\n\nwe have the same two invoices: 2026-071 over 79.00 € and 2026-094 over 158.00 €. The third payment of 79.00 € arrived on {d21} without a number. It seems to be 071 paid a second time.\n\nTom`,
      ),
      received(
        '13 10:20',
        `That is possible, the café was being renovated at the time. But the payment of {d21} was made from the private account of Paul Blum, not from the café's. May I ask you to look at the name on it?\n\nHenrike Osterloh`,
      ),
      sent(
        '13 11:05',
        'tom',
        `You are right: "P. Blum, thanks!", without anything else. Could it be for something private? I look for orders under his name.\n\nTom`,
      ),
      sent(
        '12 09:15',
        'tom',
        `Found: order 4590, one Fjord frame, sent to Paul Blum at home, 79.00 €. The invoice is 2026-088 and went to an address with a typing error, so he never saw it and paid from memory.\n\nTom`,
      ),
      received(
        '12 13:50',
        `Then everything is explained, nearly. Because 2026-088 is private, I must take the 79.00 € out of the café's books again, where I had put it in good faith. Could you send me a short confirmation that it does not belong to the café?\n\nHenrike Osterloh`,
      ),
      sent(
        '12 15:20',
        'ada',
        `Dear Ms Osterloh,\n\nhere it is, in words: the payment of 79.00 € of {d21} belongs to invoice 2026-088 (Paul Blum, private) and not to the account of Café Blum. The café's account is level.\n\nAda Lindqvist`,
        {
          files: [
            file(
              'account-cafe-blum.csv',
              'text/csv',
              `
date,document,debit_eur,credit_eur,balance_eur
{i80},Invoice 2026-071,79.00,,79.00
{i72},Payment,,79.00,0.00
{i40},Invoice 2026-094,158.00,,158.00
{i30},Payment,,158.00,0.00`,
            ),
          ],
        },
      ),
      received('12 16:02', `Thank you. I do like an account that ends in zero.\n\nHenrike Osterloh`),
      received(
        '6 09:10',
        `Good morning, it is me again. The bank has now returned the payment of 158.00 €, because our account had changed with the renovation. It is not your mistake, and I will pay it again today. Could you tell me whether your bank charged you for it?\n\nHenrike Osterloh`,
      ),
      sent(
        '6 10:30',
        'ada',
        `Good morning,\n\nit did, 3.50 €, and we would never ask you for it. Just send the 158.00 €.\n\nAda Lindqvist`,
      ),
      received('6 10:55', `I insist on the 3.50 €. Order must be.\n\nHenrike Osterloh`),
      sent(
        '6 11:20',
        'ada',
        `Then we spend it on coffee at Café Blum, and it is back in your books by the evening.\n\nAda Lindqvist`,
      ),
      received(
        '-100m',
        `The 161.50 € have left our account this morning. Please confirm when they are with you. And: the four blue frames for the exhibition (order 4700), is there an invoice already? I do not find one, and I would like to have it before the {t+5}.\n\nHenrike Osterloh`,
      ),
    ],
    notes: [
      note(
        '12 15:30',
        'ada',
        '@Tom the typing error was ours: "bulm". Please correct the address of the café and of Paul.',
      ),
      note('12 15:48', 'tom', 'Both corrected.'),
    ],
  },
]
