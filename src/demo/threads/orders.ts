import { everyone, note, proposed, received, sent, type DemoThread } from '../thread.ts'

export const orders: DemoThread[] = [
  {
    inbox: 'support',
    subject: 'Can I still add something to order 4709?',
    from: 'Oluwaseun Adeyemi <seun@adeyemi.example>',
    status: 'open',
    unread: everyone,
    messages: [
      received(
        '-55m',
        `
Hello Larkwood,

I ordered the Wren shelf last night (4709) and now my wife says we need two. Can you put a second one in the same parcel, or is it too late? Same oak, same length, please.

Seun`,
      ),
    ],
    drafts: [
      proposed(
        '-52m',
        `
Hello Seun,

you are in time: a second Wren shelf, same oak and same length, goes into the parcel of order 4709. It leaves at 14:00, and the second shelf is 79.00 €, payable with the first.

Best regards`,
        ['put a second one in the same parcel', 'Same oak, same length'],
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Forgot the voucher code',
    from: 'Beatriz Almeida <bia.almeida@correio.example>',
    status: 'closed',
    messages: [
      received(
        '25 16:41',
        `Hi, I had a voucher WELCOME10 and pressed "buy" before typing it in. Order 4601. Is there any way to still count it? 🙈`,
      ),
      sent(
        '25 17:03',
        'sofia',
        `
Hi Beatriz,

happens to the best of us. I have taken off the 10 % and you get 7.90 € back on your card in the next days.

Sofia`,
      ),
      received('25 17:15', `Wow, that was quick. You are stars!`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Two confirmations for one order',
    from: 'Kenji Mori <kenji@mori.example>',
    status: 'closed',
    assignee: 'tom',
    messages: [
      received(
        '20 08:12',
        `
Dear shop,

I received two confirmation mails (4618 and 4619) within a minute. I only want one "Night Train" print. Did I order twice by mistake?

Kenji Mori`,
      ),
      sent(
        '20 09:40',
        'tom',
        `
Dear Kenji,

your browser sent the order twice, so it is not your mistake. I have cancelled 4619; 4618 leaves the house tomorrow. You were charged once only, I checked.

Tom`,
      ),
      received('20 09:58', `Thank you for the clear answer. One train is enough for my wall.`),
    ],
    notes: [
      note(
        '20 09:44',
        'tom',
        'Third double order this month, always from the same phone browser. @Ada worth telling the web people?',
      ),
      note('20 10:15', 'ada', 'Told them. They will grey out the button after the first press.'),
    ],
  },
  {
    inbox: 'support',
    subject: 'Bestellung 4655: andere Größe möglich?',
    from: 'Jürgen Großmann <juergen@grossmann.example>',
    status: 'closed',
    client: 'outlook',
    language: 'de',
    charset: 'iso-8859-1',
    messages: [
      received(
        '15 10:20',
        `
Guten Tag,

ich habe gestern den Rahmen "Hazel" in 40 × 50 bestellt (4655). Jetzt habe ich noch einmal nachgemessen: das Bild ist 41,5 cm breit. Könnte ich stattdessen 50 × 70 mit Passepartout bekommen? Den Aufpreis überweise ich natürlich.

Mit freundlichen Grüßen
Jürgen Großmann`,
      ),
      sent(
        '15 11:45',
        'ada',
        `
Guten Tag Herr Großmann,

gut, dass Sie nachgemessen haben. Die Bestellung ist geändert: Hazel 50 × 70 mit Passepartout, Ausschnitt 41 × 51. Der Aufpreis beträgt 31 €, die neue Rechnung liegt im Paket.

Viele Grüße
Ada Lindqvist`,
      ),
      received(
        '9 18:30',
        `
Hallo Frau Lindqvist,

der Rahmen hängt, und meine Frau findet ihn schöner als das Bild. Schöne Grüße in die Werkstatt!

Jürgen Großmann`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Cancel order 4694 please',
    from: 'Grace O’Malley-Byrne <grace@omalley.example>',
    status: 'waiting',
    messages: [
      received(
        '4 12:02',
        `Hi there, we found out today that our landlord will not let us drill into that wall. Could you cancel order 4694 (two Magpie cabinets) before it ships? So sorry for the trouble.`,
      ),
      sent(
        '4 13:21',
        'tom',
        `
Hi Grace,

no trouble, they had not been packed. Before I cancel: the Magpie also stands on the floor with the low feet (24 € a set). No drilling at all. Shall I swap, or cancel?

Tom`,
      ),
    ],
  },
  {
    inbox: 'support',
    subject: 'Gift wrapping and a card',
    from: 'Amélie Fournier <amelie.fournier@courriel.example>',
    status: 'closed',
    language: 'fr',
    messages: [
      received(
        '18 20:44',
        `
Bonjour,

je voudrais offrir la gravure « Héron » à ma mère pour ses 70 ans. Est-ce que vous faites des paquets cadeaux ? Et pourriez-vous y glisser une petite carte : « Pour maman, qui m’a appris à regarder les oiseaux » ?

Merci beaucoup,
Amélie Fournier`,
      ),
      sent(
        '17 10:05',
        'sofia',
        `
Bonjour Amélie,

avec plaisir ! Le papier est bleu nuit, le ruban en lin, et la carte sera écrite à la main. C’est gratuit pour les 70 ans.

Sofia`,
      ),
      received('17 12:30', `C’est adorable, merci ! Commande 4640, alors. 💐`),
      sent('16 09:00', 'sofia', `Parti ce matin. Bon anniversaire à votre maman !\n\nSofia`),
    ],
  },
  {
    inbox: 'support',
    subject: 'When will the Otter stool be back?',
    from: 'Tomasz Wiśniewski <tomasz@wisniewski.example>',
    status: 'snoozed',
    snoozedHours: 70,
    assignee: 'sofia',
    messages: [
      received(
        '8 15:17',
        `
Dzień dobry! Hello!

The Otter stool has been "sold out" for three weeks. Will there be more before the holidays? I need two, for a very small kitchen and two very tall sons. Gdyby była lista oczekujących, chętnie się zapiszę.

Tomasz Wiśniewski`,
      ),
      sent(
        '7 09:35',
        'sofia',
        `
Dzień dobry Tomasz,

the ash for the legs arrives next week, so the next twelve stools should be ready around {d+5}. I put two aside with your name and write to you as soon as they are oiled.

Sofia`,
      ),
      received('7 10:02', `Świetnie, dziękuję! I wait.`),
    ],
    notes: [note('7 10:10', 'sofia', 'Snoozed until the ash is here. Two Otters reserved for him.')],
  },
  {
    inbox: 'support',
    subject: 'Order placed by my grandfather',
    from: 'Eilidh MacRae <eilidh@macrae.example>',
    status: 'closed',
    assignee: 'ada',
    messages: [
      received(
        '17 11:03',
        `
Hello,

my grandfather (92) has ordered eleven frames from you, order 4636. He meant one. He pressed the plus because he thought it made the picture bigger. Could you change it to one? He is rather embarrassed, so please don't ring him.

Eilidh`,
      ),
      sent(
        '17 11:40',
        'ada',
        `
Dear Eilidh,

done: one frame, and the rest is refunded. Please tell him that the same thing happened to us with a box of 5000 screws, and that the plus button now says "one more" in words, thanks to him.

Ada`,
      ),
      received('17 12:15', `He laughed out loud at the screws. Thank you for being so kind about it.`),
    ],
  },
  {
    inbox: 'support',
    subject: 'Is order 4710 really confirmed?',
    from: 'Nikos Papadopoulos <nikos@papadopoulos.example>',
    status: 'open',
    unread: everyone,
    messages: [
      received(
        '1 21:30',
        `
Καλησπέρα σας,

έκανα μια παραγγελία (4710) αλλά δεν έλαβα email επιβεβαίωσης. Τα χρήματα έχουν φύγει από την κάρτα μου.

In English, to be safe: I ordered, I paid, but no confirmation came. Is my order with you?

Ευχαριστώ,
Νίκος Παπαδόπουλος`,
      ),
    ],
  },
]
