import { file, pdf } from '../documents.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const suppliers: DemoThread[] = [
  {
    inbox: 'billing',
    subject: 'Invoice 88-2041, ash boards',
    from: 'Sägewerk Tannhof <rechnung@tannhof.example>',
    status: 'open',
    unread: ['ada', 'sofia'],
    client: 'outlook',
    messages: [
      received(
        '1 07:15',
        `Good morning,\n\nthe ash for your stools leaves us on {w+1}. Our invoice is attached. Please note that the second pack turned out nicer than agreed, at the same price. Do not tell the others.\n\nSägewerk Tannhof`,
        {
          files: [
            pdf(
              'Tannhof-88-2041.pdf',
              `
Invoice 88-2041
Sägewerk Tannhof
To: Larkwood

Ash, 32 mm, air dried, 0.8 m3      720.00 €
Ash, 50 mm, selected, 0.2 m3       240.00 €
Transport                            60.00 €
Total                              1020.00 €
Payable within 14 days`,
            ),
          ],
        },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Glass prices from next month',
    from: 'Glashütte Verre & Fils <ventes@verre-et-fils.example>',
    status: 'waiting',
    assignee: 'tom',
    messages: [
      received(
        '6 09:35',
        `Dear partners, energy has become expensive and we must raise our prices by 6 % from {d+12}. Orders placed before that keep the old price. We are sorry.`,
      ),
      sent(
        '6 10:20',
        'tom',
        `Dear Étienne,\n\nthank you for telling us in time. We would then order for six months: 300 panes 30 × 40, 200 of 50 × 70 and 60 of 70 × 100. Could you deliver in two parts?\n\nTom`,
      ),
      received(
        '5 08:20',
        `In two parts, yes. And because you always pay on the day, the first part with 2 % off.\n\nÉtienne`,
      ),
      sent(
        '5 08:45',
        'tom',
        `Then it is a pleasure to pay on the day. Order L-519 follows by the usual form.\n\nTom`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Rent for the workshop, extra costs',
    from: 'Hausverwaltung Sperling <abrechnung@hv-sperling.example>',
    status: 'open',
    assignee: 'ada',
    unread: everyone,
    client: 'outlook',
    language: 'de',
    messages: [
      received(
        '4 11:20',
        `Sehr geehrte Frau Lindqvist,\n\nanbei die Nebenkostenabrechnung für die Werkstatt im Ahornweg 8. Es ergibt sich eine Nachzahlung von 318,40 €.\n\nMit freundlichen Grüßen\nHausverwaltung Sperling`,
        {
          files: [
            pdf(
              'Nebenkosten-Ahornweg-8.pdf',
              `
Nebenkostenabrechnung Ahornweg 8
Mieter: Larkwood

Heizung              1.204,10 €
Wasser                 188,30 €
Hausreinigung          246,00 €
Aufzug                 180,00 €
Summe                1.818,40 €
Vorauszahlungen      1.500,00 €
Nachzahlung            318,40 €`,
            ),
          ],
        },
      ),
      sent(
        '3 09:40',
        'ada',
        `Sehr geehrte Damen und Herren,\n\nvielen Dank. Eine Frage zum Aufzug: Die Werkstatt liegt im Erdgeschoss, und das Haus hat keinen. Könnten Sie die Position prüfen?\n\nMit freundlichen Grüßen\nAda Lindqvist`,
      ),
      received(
        '1 14:05',
        `Sehr geehrte Frau Lindqvist,\n\nSie haben recht, der Aufzug gehört zum Ahornweg 18. Die berichtigte Abrechnung (Nachzahlung 138,40 €) folgt per Post. Bitte überweisen Sie den ersten Betrag nicht.\n\nHausverwaltung Sperling`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Pallets not returned',
    from: 'Packhorse Parcels Accounts <accounts@packhorse.example>',
    status: 'closed',
    client: 'outlook',
    messages: [
      received(
        '18 10:25',
        `Dear customer,\n\nour records show nine pallets at your address. Unless they are returned by the end of the month, we invoice 12.50 € each.\n\nPackhorse Parcels`,
      ),
      sent(
        '18 11:35',
        'tom',
        `Dear accounts,\n\nwe count four. The other five left with your driver on {d22}, receipt attached. You are welcome to visit the four at any time, they are stacked under the plum tree.\n\nTom Keller`,
        {
          files: [
            file(
              'pallet-receipt.txt',
              'text/plain',
              `
{i22} 15:40  Larkwood yard
5 pallets handed over to van 14
signed: Emil B.
remark: "rain, took coffee"`,
            ),
          ],
        },
      ),
      received('16 09:10', `Confirmed, four pallets. Van 14 collects them on its next tour.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Figures for the third quarter',
    from: 'Roswitha Engel <engel@engel-steuerberatung.example>',
    status: 'waiting',
    assignee: 'ada',
    client: 'outlook',
    messages: [
      received(
        '7 09:00',
        `Dear Ada,\n\nfor the quarter I still need the cash book of the market days, the receipts for the table saw, and your answer on the electric van: bought or leased?\n\nRoswitha`,
      ),
      sent(
        '7 10:45',
        'ada',
        `Dear Roswitha,\n\ncash book attached, saw receipts tomorrow, the van is leased over 48 months.\n\nAda`,
        {
          files: [
            file(
              'cash-book-q3.csv',
              'text/csv',
              `
date,place,in_eur,out_eur,remark
{i62},Market Lindental,412.00,,frames and prints
{i62},Market Lindental,,18.00,stand fee
{i47},Market Lindental,388.50,,
{i47},Market Lindental,,18.00,stand fee
{i47},Market Lindental,,6.40,sausages`,
            ),
          ],
        },
      ),
      received('6 08:10', `Thank you. The sausages are entertainment, I assume?`),
      sent('6 08:30', 'ada', `Negotiations. We arranged a whole exhibition over them.\n\nAda`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Renewal of your workshop insurance',
    from: 'Versa Mutual <contracts@versa-mutual.example>',
    status: 'snoozed',
    snoozedHours: 160,
    client: 'outlook',
    messages: [
      received(
        '12 11:00',
        `Dear policy holder,\n\nyour policy ends in ten weeks and renews by itself unless you object. The new premium is 684 € (before: 655 €). Have you bought new machines this year? They are covered only if listed.\n\nVersa Mutual`,
      ),
    ],
    notes: [
      note(
        '12 11:30',
        'tom',
        '@Ada the table saw is not on the list. I ask two other insurers before we renew.',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Oil and wax: delivery incomplete',
    from: 'Naturfarben Wiesengrund <service@wiesengrund.example>',
    status: 'closed',
    messages: [
      received(
        '15 13:00',
        `Hello Sofia, you wrote on the delivery note that two tins were missing. Which ones? Our packer swears on his honour.`,
      ),
      sent(
        '15 13:20',
        'sofia',
        `Hello Birgit,\n\ntwo tins of walnut wax, 250 ml. His honour is safe: I have just found them inside a roll of felt.\n\nSofia`,
      ),
      received('15 13:25', `He is relieved, and will tell this at every Christmas party.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Invoice for the catalogue photographs',
    from: 'Celia Moreau <celia@moreau-studio.example>',
    status: 'closed',
    messages: [
      received(
        '11 10:10',
        `Dear Tom, my invoice for two days of photographs is attached. The third half-day was the green's fault, and I do not charge for green.\n\nCelia`,
        {
          files: [
            pdf(
              'Moreau-2026-33.pdf',
              `
Invoice 2026-33
Celia Moreau, photographs
To: Larkwood

2 days of photographs     2 x 480.00 €     960.00 €
Retouching, 32 pictures                    320.00 €
Total                                     1280.00 €`,
            ),
          ],
        },
      ),
      sent('11 11:00', 'tom', `Dear Celia,\n\npaid, thank you. And thank you for the half-day.\n\nTom`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Electricity: your new instalment',
    from: 'Stadtwerke Lindental <kundenservice@stadtwerke-lindental.example>',
    status: 'closed',
    client: 'outlook',
    charset: 'iso-8859-1',
    messages: [
      received(
        '19 06:30',
        `Guten Tag,\n\nIhr neuer Abschlag beträgt ab dem nächsten Monat 212,00 EUR (bisher 198,00 EUR). Grund ist Ihr höherer Verbrauch. Möchten Sie den Abschlag ändern, antworten Sie bitte auf diese Nachricht.\n\nIhre Stadtwerke Lindental`,
      ),
      sent(
        '19 09:50',
        'ada',
        `Guten Tag,\n\nder höhere Verbrauch war die Trockenkammer im Sommer, sie ist inzwischen abgebaut. Bitte lassen Sie den Abschlag bei 198 €.\n\nAda Lindqvist`,
      ),
      received(
        '17 14:20',
        `Guten Tag Frau Lindqvist,\n\nerledigt, es bleibt bei 198,00 EUR.\n\nIhre Stadtwerke Lindental`,
      ),
    ],
  },
]
