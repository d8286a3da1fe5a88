import { file, pdf } from '../documents.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const invoices: DemoThread[] = [
  {
    inbox: 'billing',
    subject: 'Invoice for order 4705 please',
    from: 'Theodora Lang <t.lang@praxis-lang.example>',
    status: 'open',
    unread: everyone,
    messages: [
      received(
        '-150m',
        `Good morning, we ordered two Snow frames for the waiting room (4705) and need a proper invoice with the name of the practice: Praxis Dr. Theodora Lang, Am Anger 2. The receipt alone is not enough for the tax office. Thank you!`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Invoice 2026-101: two copies?',
    from: 'Accounts Payable <ap@northgate-offices.example>',
    status: 'closed',
    client: 'outlook',
    messages: [
      received(
        '21 09:05',
        `Hello,\n\nwe received invoice 2026-101 twice, dated {i23} and {i22}, with the same number and the same amount (316.00 €). Which one is valid?\n\nAccounts Payable, Northgate Offices`,
      ),
      sent(
        '21 10:00',
        'tom',
        `Hello,\n\nthe second one is valid, it has your purchase order number. Please destroy the first. The number stays, since only the layout changed.\n\nTom Keller`,
      ),
      received('21 10:12', `Destroyed. Payment run is on {w18}.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Purchase order number missing',
    from: 'Sunita Rao <sunita.rao@meridian-labs.example>',
    status: 'waiting',
    assignee: 'tom',
    client: 'outlook',
    messages: [
      received(
        '4 10:18',
        `Hi Larkwood, our system rejects invoice 2026-116 because our PO number is not on it. It must say PO-77120-B in the header. Without it nobody here is able to pay, however much they want to.\n\nSunita`,
      ),
      sent(
        '4 11:00',
        'tom',
        `Hi Sunita,\n\nunderstood, machines must be fed. The new document is attached, with the PO number in the header and, to be safe, in the footer.\n\nTom`,
        {
          files: [
            pdf(
              'Invoice-2026-116b.pdf',
              `
Invoice 2026-116  (replaces the first version)
PO-77120-B
Meridian Labs, Building 4

14 x frame Slate 30 x 40 cm     14 x 48.00 €     672.00 €
Delivery                                          free
Total                                          672.00 €

Your order: PO-77120-B`,
            ),
          ],
        },
      ),
      received('4 11:30', `Accepted by the machine! It now says "payment in 5 to 45 days".`),
      sent('4 11:42', 'tom', `A machine with a sense of humour. Thank you.\n\nTom`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Rechnung auf Firmenadresse umschreiben',
    from: 'Björn Hölzl <bjoern@hoelzl-tischlerei.example>',
    status: 'closed',
    client: 'outlook',
    language: 'de',
    charset: 'iso-8859-1',
    messages: [
      received(
        '17 07:40',
        `Guten Morgen,\n\nkönnten Sie die Rechnung 2026-106 auf die Firma umschreiben? Hölzl Tischlerei GmbH, Gewerbestraße 11. Ich hatte aus Gewohnheit privat bestellt.\n\nMit freundlichen Grüßen\nBjörn Hölzl`,
      ),
      sent(
        '17 09:15',
        'ada',
        `Guten Morgen Herr Hölzl,\n\ngern. Die alte Rechnung ist storniert, die neue hat die Nummer 2026-107 und liegt bei. Bezahlt ist sie ja schon.\n\nViele Grüße\nAda Lindqvist`,
        {
          files: [
            pdf(
              'Rechnung-2026-107.pdf',
              `
Rechnung 2026-107
Hölzl Tischlerei GmbH, Gewerbestraße 11
Datum: {i17}

2 x Druck "Reiher"                    70,00 €
2 x Rahmen Hazel 30 x 40 cm           96,00 €
Summe                                166,00 €

Betrag dankend erhalten.`,
            ),
          ],
        },
      ),
      received('17 09:30', `Perfekt, danke. Von Tischler zu Tischler: schöne Gehrungen!`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Reverse charge on invoice 2026-112',
    from: 'Aoife Brennan <aoife@brennan-interiors.example>',
    status: 'snoozed',
    snoozedHours: 92,
    assignee: 'ada',
    messages: [
      received(
        '5 12:33',
        `Hello, we are a registered business in another EU country. Invoice 2026-112 shows VAT, but it should be reverse charge, shouldn't it? Our number was on the order form.`,
      ),
      sent(
        '5 14:10',
        'ada',
        `Hello Aoife,\n\nin principle yes. The number has to be valid on the day of the delivery, and the register answered "unknown" when we asked it. Is your registration recent?\n\nAda`,
      ),
      received(
        '2 11:45',
        `It is: since last month. Our adviser says that the register takes a while and that a letter from our office will do. I have asked for one, should be here early next week. Would that be fine with you?`,
      ),
    ],
    notes: [
      note(
        '2 12:10',
        'ada',
        '@Sofia if the letter comes while I am away: file it with 2026-112, and correct only then.',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Your invoice went to my old address',
    from: 'Xavier Dubois <xavier@dubois.example>',
    status: 'closed',
    messages: [
      received(
        '19 18:20',
        `Hello, I just got a reminder for an invoice I never saw. It went to my old flat. My new address has been in my account since August!`,
      ),
      sent(
        '18 09:30',
        'sofia',
        `Hello Xavier,\n\nyour account has two addresses, and the invoice took the wrong one. That is our fault; please forget the reminder. I attach the invoice, you have 30 days from today.\n\nSofia`,
        {
          files: [
            pdf(
              'Invoice-2026-097.pdf',
              `
Invoice 2026-097
Xavier Dubois
New date: {i18}

1 x Badger bedside table     180.00 €
Delivery                      18.00 €
Total                        198.00 €`,
            ),
          ],
        },
      ),
      received('18 12:00', `Paid at once. The table is great, by the way.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Need all invoices of the year',
    from: 'Kofi Asante <kofi@asante-design.example>',
    status: 'closed',
    assignee: 'sofia',
    messages: [
      received(
        '11 16:00',
        `Hi, my accountant wants all invoices of this year in one go and I have deleted half of them. Is there a list? Asante Design.`,
      ),
      sent(
        '11 16:40',
        'sofia',
        `Hi Kofi,\n\nhere is the list. All six as PDF are in your account under "documents", there is a button "download all" at the very bottom that nobody ever finds.\n\nSofia`,
        {
          files: [
            file(
              'asante-design-2026.csv',
              'text/csv',
              `
invoice,order,amount_eur,paid
2026-014,4102,96.00,yes
2026-029,4188,144.00,yes
2026-052,4340,79.00,yes
2026-068,4415,258.00,yes
2026-090,4560,48.00,yes
2026-110,4650,129.00,yes`,
            ),
          ],
        },
      ),
      received(
        '11 16:45',
        `Nobody ever finds it because it is grey on grey. But thank you, my accountant can sleep.`,
      ),
      sent('10 09:00', 'sofia', `It is blue now.\n\nSofia`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Question about the deposit',
    from: 'Ingrid Solberg <ingrid@solberg.example>',
    status: 'waiting',
    messages: [
      received(
        '7 11:11',
        `Hello, for the made-to-measure cabinet you ask for a deposit of 40 %. When do I get an invoice for it, and is it deducted from the last one?`,
      ),
      sent(
        '7 12:20',
        'ada',
        `Hello Ingrid,\n\nyou get an invoice for the deposit as soon as you confirm the drawing, and the final invoice lists it line by line and takes it off. We begin with the wood when the deposit is here.\n\nAda`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Facture 2026-103 : remise non appliquée',
    from: 'Léa Charpentier <lea@charpentier.example>',
    status: 'closed',
    language: 'fr',
    messages: [
      received(
        '18 08:50',
        `Bonjour,\n\nla remise de 10 % promise par Tom au marché n’apparaît pas sur la facture 2026-103. J’ai un témoin : mon chien.\n\nBien à vous,\nLéa Charpentier`,
      ),
      sent(
        '18 10:10',
        'tom',
        `Bonjour Léa,\n\nje m’en souviens très bien, du chien aussi. La facture corrigée part aujourd’hui, avec 10 % de moins et une caresse pour lui.\n\nTom`,
      ),
      received('18 10:35', `Merci, il remue la queue 🐕`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Electronic invoices from next year',
    from: 'Rathaus Beschaffung <beschaffung@rathaus-lindental.example>',
    status: 'snoozed',
    snoozedHours: 240,
    assignee: 'ada',
    client: 'outlook',
    messages: [
      received(
        '10 09:00',
        `Dear supplier,\n\nfrom {d+30} on, the town of Lindental accepts invoices as structured XML only. PDF will be returned. Please let us know the format in which you will send them, and the person to contact.\n\nProcurement, Rathaus Lindental`,
      ),
      sent(
        '9 13:30',
        'ada',
        `Dear colleagues,\n\nthank you for the early notice. We will send XRechnung, and I am the person to contact. May we send you a test invoice before the date?\n\nAda Lindqvist`,
      ),
      received(
        '8 08:30',
        `You may. Test invoices please to the same address with TEST in the subject. They will be read by Mr Hofer, who is on leave until the beginning of next month.`,
      ),
    ],
    notes: [
      note(
        '8 09:00',
        'ada',
        'Snoozed until Mr Hofer is back. @Tom does our invoice program write XRechnung?',
      ),
      note('8 10:20', 'tom', 'With the next update, they say. I keep an eye on it.'),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Is this invoice really from you?',
    from: 'Marguerite Okonkwo <marguerite@okonkwo.example>',
    status: 'closed',
    assignee: 'ada',
    messages: [
      received(
        '9 09:09',
        `Good morning, I got a mail that looks like yours, with an "unpaid invoice" of 412 € and a new bank account. I have never bought anything for 412 €. I did not click. Is it from you?`,
      ),
      sent(
        '9 09:20',
        'ada',
        `Good morning Marguerite,\n\nit is not, and you did everything right. Our bank account has not changed since the shop began, and we would never announce a change by mail alone. Please delete it. If you can, forward it to us first, so that we can warn others.\n\nAda`,
      ),
      received(
        '9 09:35',
        `Forwarded under a separate subject. How clever they have become, even the little bird was on it.`,
      ),
    ],
    notes: [
      note(
        '9 09:40',
        'ada',
        'Fake invoices with our logo are going around. @Tom @Sofia please answer such questions first of all.',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Delivery date on the invoice',
    from: 'Steuerbüro Hanke <mandanten@hanke-steuer.example>',
    status: 'open',
    unread: everyone,
    client: 'outlook',
    language: 'de',
    messages: [
      received(
        '1 09:26',
        `Guten Tag,\n\nfür unsere Mandantin, die Galerie Südlicht, fehlt auf Ihrer Rechnung 2026-109 das Leistungsdatum. Wir bitten um eine berichtigte Ausfertigung bis zum {D+7}.\n\nMit freundlichen Grüßen\ni. A. Cornelius Hanke`,
      ),
    ],
  },
]
