import { pdf } from '../documents.ts'
import { everyone, note, received, sent, type DemoThread } from '../thread.ts'

export const payments: DemoThread[] = [
  {
    inbox: 'billing',
    subject: 'Charged twice for order 4690',
    from: 'Peter Mwangi <peter@mwangi.example>',
    status: 'open',
    assignee: 'tom',
    unread: everyone,
    messages: [
      received(
        '2 20:40',
        `Hello, my card shows 129.00 € two times on the same day for order 4690. Please check.`,
      ),
      sent(
        '1 09:05',
        'tom',
        `Hello Peter,\n\non our side there is one payment and one reservation that was never collected. The reservation should vanish from your account within five days. Could you look again on {w+2}?\n\nTom`,
      ),
      received(
        '-135m',
        `My bank says that both are booked, not reserved. I attach what they gave me. I trust you, but 129 € is my food for two weeks, so it would be good to be fast.\n\nPeter`,
        {
          files: [
            pdf(
              'bank-statement.pdf',
              `
Account statement (extract)
Peter Mwangi

{i5}   LARKWOOD 4690     -129.00 €   booked
{i5}   LARKWOOD 4690     -129.00 €   booked
{i4}   Supermarket         -23.15 €   booked`,
            ),
          ],
        },
      ),
    ],
    notes: [
      note(
        '-120m',
        'sofia',
        '@Tom both really are on our side, the second one hangs in the card provider’s list as "unmatched". Refund by hand?',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Gift card balance',
    from: 'Saoirse Kelly <saoirse@kelly.example>',
    status: 'closed',
    messages: [
      received(
        '14 17:17',
        `Hi, how do I see what is left on my gift card? The back says LW-20-7731 and a coffee stain.`,
      ),
      sent(
        '14 17:30',
        'sofia',
        `Hi Saoirse,\n\nthere are 31.00 € left, coffee not included. It is valid for another two years. You can also see it at the till page when you type the number in.\n\nSofia`,
      ),
      received('14 17:33', `Brilliant, that is exactly one print minus four euro. 👍`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Can I pay in three parts?',
    from: 'Jelena Petrović <jelena@petrovic.example>',
    status: 'closed',
    assignee: 'ada',
    messages: [
      received(
        '20 19:50',
        `Good evening, I would love the Magpie cabinet, but 240 € at once is much for me at the moment. Do you accept three payments?`,
      ),
      sent(
        '19 09:10',
        'ada',
        `Good morning Jelena,\n\nwe do, without interest and without a form: 80 € now, 80 € in each of the next two months. The cabinet comes after the first. Agreed?\n\nAda`,
      ),
      received('19 09:40', `Agreed, and thank you for not asking why.`),
      sent('19 09:55', 'ada', `Never. Order 4626, the first invoice is on its way.\n\nAda`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Payment reminder although paid',
    from: 'Hendrik Jansen <hendrik@jansen-advies.example>',
    status: 'closed',
    messages: [
      received(
        '15 08:15',
        `Good day. You remind me of 2026-099 (96.00 €). I paid on {d18}, with the number, from my business account. Please stop.`,
      ),
      sent(
        '15 09:00',
        'tom',
        `Good day Hendrik,\n\nfound: your bank wrote 2026-009, so it was matched to an invoice of January. I have moved it. Please accept my apology for the reminder, it was an automatic one.\n\nTom`,
      ),
      received('15 09:12', `Accepted. My bank and I will have words.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Change of our bank details',
    from: 'Buchhaltung Holzhof Brandl <buchhaltung@holzhof-brandl.example>',
    status: 'open',
    assignee: 'ada',
    unread: ['tom'],
    client: 'outlook',
    messages: [
      received(
        '3 10:10',
        `Dear customer,\n\nour bank has merged, so that our account number changes on {d+10}. Since such mails are often fraud, please do NOT use a number from any mail. Call us on the number that you have had for years, and ask for Waltraud.\n\nHolzhof Brandl, accounts`,
      ),
      sent(
        '3 11:30',
        'ada',
        `Dear Waltraud,\n\nthat is the best mail on this subject that I have ever received. I call you this week.\n\nAda Lindqvist`,
      ),
      received(
        '1 12:00',
        `We have not spoken yet, so just a reminder: until {d+10} the old account works. I am in the office from seven to one.\n\nWaltraud`,
      ),
    ],
    notes: [
      note(
        '3 11:35',
        'ada',
        'Will call on the number in the old folder, not the one in the mail. @Tom please do not pay Brandl before that.',
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Refund to a closed card',
    from: 'Mariana Cruz <mariana@cruz.example>',
    status: 'waiting',
    assignee: 'sofia',
    messages: [
      received(
        '6 15:15',
        `Hello, you refunded 48 € to a card which I lost and closed. Where is the money now?`,
      ),
      sent(
        '6 15:40',
        'sofia',
        `Hello Mariana,\n\nusually the bank puts it into your account anyway, it only takes longer. If it comes back to us, I will transfer it by hand. Could you send me your IBAN, just in case? You can type it into the form https://larkwood.example/refund, please not into a mail.\n\nSofia`,
      ),
      received('5 09:30', `Typed it in, thank you for not wanting it by mail!`),
      sent(
        '5 09:45',
        'sofia',
        `Got it. I wait until {w+3}, and if nothing has moved you get it by transfer.\n\nSofia`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Discount for teachers?',
    from: 'Ebba Nyström <ebba@nystrom.example>',
    status: 'closed',
    messages: [
      received(
        '22 12:22',
        `Hej! Do you have a discount for teachers? I buy frames for my classroom with my own money, like everyone.`,
      ),
      sent(
        '22 13:10',
        'ada',
        `Hej Ebba,\n\nwe do now: 20 % with the code CHALK, as long as you teach. Tell your colleagues.\n\nAda`,
      ),
      received('22 13:15', `I read this aloud in the staff room. There was applause.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Deposit received? (Q-0228)',
    from: 'Gabriela Stancu <gabriela@stancu.example>',
    status: 'closed',
    messages: [
      received(
        '8 10:02',
        `Bună ziua, I transferred the deposit of 124 € for quote Q-0228 on {d11}. Has it arrived? I would like to know whether the work has begun.`,
      ),
      sent(
        '8 10:15',
        'tom',
        `Bună ziua Gabriela,\n\nit has, on {d10}, and the boards have been cut since yesterday. It looks good already.\n\nTom`,
      ),
      received('8 10:30', `Mulțumesc! Now I cannot change my mind any more, which is good.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Currency on my statement',
    from: 'Olivia Tremblay <olivia@tremblay.example>',
    status: 'closed',
    messages: [
      received(
        '12 14:40',
        `Hi from Montréal! My card was charged 71.60 dollars for a print of 35 € plus shipping. Is that your rate or my bank's?`,
      ),
      sent(
        '12 15:05',
        'sofia',
        `Hi Olivia,\n\nwe only ever charge euro: 35.00 + 14.00 = 49.00 €. The rate and perhaps a fee are from your bank. If you choose "pay in euro" next time, it is usually the better deal.\n\nSofia`,
      ),
      received('12 15:20', `Thanks, merci! My bank shall hear from me, in both languages.`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Paid too much by one digit',
    from: 'Shlomo Katz <shlomo@katz.example>',
    status: 'waiting',
    assignee: 'tom',
    messages: [
      received(
        '3 08:08',
        `Good morning. I have just transferred 790 € instead of 79 €. I would be very glad to see 711 € of it again.`,
      ),
      sent(
        '3 08:30',
        'tom',
        `Good morning Shlomo,\n\nI would be, too. It is not here yet, but as soon as it is, the 711 € go straight back. I write to you the minute I see it.\n\nTom`,
      ),
      received('3 08:34', `My heart rate is returning to normal.`),
      sent('2 10:05', 'tom', `It arrived at 9:50 and left again at 10:01, all 711 € of it.\n\nTom`),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Order on account for a new customer',
    from: 'Naomi Adler <naomi@adler-und-sohn.example>',
    status: 'open',
    unread: ['ada', 'sofia'],
    client: 'apple',
    messages: [
      received(
        '1 14:44',
        `Dear Larkwood, we are a law firm and would like to order on account (about 600 € now, perhaps the same in spring). What do you need from us? We can offer references, an extract from the register, and a very strict bookkeeper.\n\nNaomi Adler`,
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Receipt for a donation of frames',
    from: 'Tafelrunde e. V. <verein@tafelrunde.example>',
    status: 'open',
    assignee: 'sofia',
    messages: [
      received(
        '9 10:30',
        `Dear Larkwood, thank you once more for the ten frames for our auction! They brought in 430 €. For the receipt we need your statement of their value.\n\nJadwiga Lis, treasurer`,
      ),
      sent(
        '9 11:45',
        'sofia',
        `Dear Jadwiga,\n\n430 €, how wonderful! They were seconds with small marks, so we put their value at 18 € each, 180 € in all. Is that enough as a statement?\n\nSofia`,
      ),
      received(
        '4 12:25',
        `Nearly. Our auditor wants to read the word "seconds" in a signed letter, and a date. I am sorry to bother you with it.`,
      ),
    ],
  },
]
