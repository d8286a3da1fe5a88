import { file } from '../documents.ts'
import { photo } from '../pictures.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const productQuestions: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'How heavy may the picture be?',
    from: 'Gunnar Eriksson <gunnar@eriksson.example>',
    status: 'closed',
    messages: [
      received(
        '14 08:50',
        `Hello, I want to put a small mirror (3.2 kg) into a Hazel 40 × 50. Will the frame carry it?`,
      ),
      sent(
        '14 09:30',
        'tom',
        `Hello Gunnar,\n\nthe frame will, up to 5 kg in that size. Please use two wall hooks instead of one, and leave out the glass, of course.\n\nTom`,
      ),
      received('14 09:41', `I had indeed planned to leave out the glass. Thank you!`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Is the blue one water resistant?',
    from: 'Chiara Lombardi <chiara@lombardi.example>',
    status: 'open',
    unread: everyone,
    messages: [
      received(
        '-90m',
        `Buongiorno, I would love the blue one (Fjord, 30 × 40) for our bathroom. Does the paint survive steam? And the print, behind the glass? We have a window but five people shower every morning.\n\nChiara`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Assembly of the Wren shelf',
    from: 'Bartholomew Finch <barty@finch.example>',
    status: 'closed',
    client: 'outlook',
    messages: [
      received(
        '13 15:22',
        `Good afternoon. Step 4 of the instructions says "insert B into A", yet both my boards are marked A. I have a doctorate in engineering and I am losing.`,
      ),
      sent(
        '13 15:40',
        'tom',
        `Good afternoon Dr Finch,\n\nyou are not losing, one of your boards was marked by an apprentice on his first day. The board with the longer groove is B. I attach the instructions in words.\n\nTom`,
        {
          files: [
            file(
              'wren-assembly.txt',
              'text/plain',
              `
WREN WALL SHELF - ASSEMBLY IN SIX STEPS

1. Lay board A on a blanket, groove up.
2. Board B is the one with the LONGER groove.
3. Slide B into A until it clicks. A rubber mallet is allowed, a hammer is not.
4. Repeat on the other side.
5. Hang the rail with two screws, 41 cm apart. Use a spirit level.
6. Lift the shelf onto the rail. Done.`,
            ),
          ],
        },
      ),
      received('13 16:05', `It clicked. So did I. Much obliged, and my regards to the apprentice.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Frame for a 1000-piece puzzle',
    from: 'Zofia Kowalczyk <zofia@kowalczyk.example>',
    status: 'closed',
    messages: [
      received(
        '19 19:19',
        `Dobry wieczór! My mother has finished a puzzle of 68,3 × 48,0 cm and wants to frame it. Your 50 × 70 is a little larger. What do people do?`,
      ),
      sent(
        '18 10:10',
        'sofia',
        `Dobry wieczór Zofia,\n\npeople take the 50 × 70 and a mat with an opening of 67.8 × 47.5, so that it covers the edge by a hair. It costs 14 €. Please do not glue the puzzle before you have measured again: glue makes them grow!\n\nSofia`,
      ),
      received(
        '18 18:40',
        `It grew by 2 mm, you were right! Order 4638 with the new measure. Mama pozdrawia 🧩`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Museum glass: worth it?',
    from: 'Leopold Trautmann <leopold@trautmann.example>',
    status: 'waiting',
    assignee: 'ada',
    messages: [
      received(
        '5 09:48',
        `Guten Morgen, I own a small watercolour from 1911 that should hang opposite a south window. You offer normal glass, anti-reflective glass and museum glass at three times the price. What would you do, honestly?`,
      ),
      sent(
        '5 10:35',
        'ada',
        `Guten Morgen Herr Trautmann,\n\nhonestly: another wall. No glass stops all of the light, and watercolours from that time often contain a red that fades. If it has to be that wall, then museum glass, because it holds back nearly all of the UV; anti-reflective glass alone does not.\n\nWould you send me a photograph of the sheet, front and back? I would also like to look at the old mount before anything is pressed against it.\n\nAda`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Prints: paper and ink',
    from: 'Delphine Rousseau <delphine@rousseau.example>',
    status: 'closed',
    messages: [
      received(
        '17 09:20',
        `Hello, which paper do you use for "Winter Allotments"? I am allergic to the smell of some papers (yes, really).`,
      ),
      sent(
        '17 09:55',
        'sofia',
        `Hello Delphine,\n\ncotton rag, 310 g, without optical brighteners, with pigment inks. It smells of nothing at all; I have just held my nose to it in front of everybody. I can post you a strip so that you can try.\n\nSofia`,
      ),
      received('17 10:15', `A strip would be wonderful. Thank you for the sacrifice.`),
      received(
        '11 11:25',
        `The strip has been on my pillow for three nights. No sneeze. I have ordered the large one.`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Can the Magpie hold records?',
    from: 'DeShawn Carter <deshawn@carter.example>',
    status: 'open',
    unread: ['ada', 'tom'],
    messages: [
      received(
        '1 19:45',
        `Hey, what's the inner depth of the Magpie cabinet? LP sleeves are 31.5 cm square. And what weight can it take on a plasterboard wall? 60 records are about 15 kg, and I will not be able to stop at 60.`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Care of oiled oak',
    from: 'Thandiwe Mokoena <thandi@mokoena.example>',
    status: 'closed',
    messages: [
      received(
        '10 13:35',
        `Hi, my Badger table has a ring from a tea mug. What do I do, and what should I never do?`,
      ),
      sent(
        '10 14:00',
        'tom',
        `Hi Thandiwe,\n\ndo: rub very lightly with the finest steel wool along the grain, then a thin coat of oil, wipe after ten minutes. Never: the rough side of a kitchen sponge, or anything with lemon in it.\n\nAnd lay the oily cloth flat to dry outside, such cloths can catch fire by themselves. It is rare but true.\n\nTom`,
      ),
      received('9 20:20', `Ring gone. Cloth outside. Tea now on a saucer.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'What is the name of the boat?',
    from: 'Hugo Lindström <hugo@lindstrom.example>',
    status: 'closed',
    messages: [
      received(
        '24 18:12',
        `Hello. I am 7. My grandmother has the picture Harbour at Dawn and she says the red boat has no name. Is that true? Mum is typing this.`,
      ),
      sent(
        '23 09:10',
        'ada',
        `Dear Hugo,\n\nwe asked the artist. She says that the boat did have a name but the sun was in her eyes when she drew it, so she could not read it. You may choose one, and we will write it on the list.\n\nAda`,
      ),
      received('23 18:30', `Pancake.`),
      sent(
        '22 09:00',
        'ada',
        `It is now on the list: "Harbour at Dawn, with the boat Pancake". A small print of it is on its way to you.\n\nAda`,
      ),
    ],
    notes: [note('22 09:05', 'sofia', 'I have changed the product page too. Best mail of the year.')],
  },
  {
    inbox: 'support',
    subject: 'Frame a football shirt',
    from: 'Callum Fraser <callum@fraser.example>',
    status: 'waiting',
    messages: [
      received(
        '6 17:17',
        `Alright, do you do deep frames? Got a signed shirt from my old club, folded it'd be about 60 by 80 and 3 cm thick with the padding.`,
      ),
      sent(
        '5 08:45',
        'tom',
        `Hi Callum,\n\nyes, the box version of Slate is 4 cm deep inside. In 60 × 80 it is made to order, 148 €, two weeks. We pin shirts with thread instead of needles, so nothing rusts. Will you post it or bring it?\n\nTom`,
      ),
      received('5 12:50', `Bring it. Not trusting the post with that one, no offence.`),
      sent('5 13:05', 'tom', `None taken. Any weekday before six.\n\nTom`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Sustainable wood?',
    from: 'Freya Halvorsen <freya@halvorsen.example>',
    status: 'closed',
    messages: [
      received(
        '15 14:14',
        `Hi! Where does your wood come from? I write about homes and things for a small magazine and would like to mention you, if the answer is good.`,
      ),
      sent(
        '15 16:20',
        'ada',
        `Hi Freya,\n\noak and ash come from two forests within 90 km, I can give you the names of the foresters. The walnut is from gardens: when a tree must go, people call us. The one thing we are not proud of is the plywood of the backs, which comes from further away than we like. Write that too, please.\n\nAda`,
      ),
      received(
        '14 09:00',
        `That is the best answer I have had from any shop. It will be in the spring issue.`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Photo of the back, please',
    from: 'Akosua Boateng <akosua@boateng.example>',
    status: 'closed',
    messages: [
      received(
        '8 11:11',
        `Hello, the shop shows the frames from the front only. Could you send me a photo of one with its mat, and tell me how the back is closed? I frame small textiles.`,
      ),
      sent(
        '8 12:25',
        'sofia',
        `Hello Akosua,\n\nhere is a Hazel with a wide mat, straight from the bench. The back is closed with six steel clips that you bend by hand, and there is room for 6 mm of textile.\n\nSofia`,
        {
          files: [photo('hazel-with-mat.png', { frame: 'oak', motif: 'pears' })],
        },
      ),
      received('8 12:40', `6 mm is exactly what I need. Medaase!`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Do you rent out frames?',
    from: 'Galerie Südlicht <post@galerie-suedlicht.example>',
    status: 'open',
    assignee: 'sofia',
    unread: ['ada'],
    client: 'outlook',
    messages: [
      received(
        '3 12:20',
        `Dear Larkwood, for an exhibition of six weeks we would need 22 white frames, 30 × 40 and 40 × 50. Do you rent them out? Buying would be beyond our means.\n\nMareike Süßmilch, Galerie Südlicht`,
      ),
      sent(
        '3 14:35',
        'sofia',
        `Dear Mareike,\n\nwe have never done that, and why not? My suggestion: you pay a third of the price, and what comes back without scratches we sell as "once in an exhibition". That is about 350 € for all 22. Would that work?\n\nSofia`,
      ),
      received(
        '1 10:40',
        `That would work very well! Opening is on {d+14}, we would pick them up on {d+11}. Do we need a contract? Our association loves contracts.`,
      ),
    ],
    notes: [
      note('3 14:20', 'sofia', '@Ada may I offer them a rental? A third of the price, 22 frames.'),
      note('3 14:30', 'ada', 'Yes, nice idea. Keep it simple, one page.'),
    ],
  },
]
