import { pdf } from '../documents.ts'
import { laidOut, machine, newsletter } from '../layouts.ts'
import { everyone, note, type DemoThread } from '../thread.ts'

/** Automatic mail from banks, card providers and hosts. */
export const receipts: DemoThread[] = [
  {
    inbox: 'billing',
    subject: 'Your payout of 1 284.35 € is on its way',
    from: 'Tilla Pay <payouts@tilla-pay.example>',
    status: 'closed',
    messages: [
      laidOut(
        '5 04:30',
        {
          brand: 'TILLA PAY',
          colour: '#1d3f72',
          heading: 'Payout 1 284.35 €',
          blocks: [
            {
              rows: [
                ['Card payments (21)', '1 310.00 €'],
                ['Refunds (1)', '−7.90 €'],
                ['Fees', '−17.75 €'],
                ['Payout', '1 284.35 €'],
              ],
            },
            'The money reaches your account within two working days.',
            { button: 'See all payments', link: 'https://tilla-pay.example/payouts/5521' },
          ],
          footer: 'Tilla Pay will never ask for your password by mail.',
        },
        {
          headers: machine,
          files: [
            pdf(
              'payout-5521.pdf',
              `
Tilla Pay - payout 5521
Larkwood

21 card payments      1310.00 €
1 refund                -7.90 €
Fees                   -17.75 €
Payout                1284.35 €`,
            ),
          ],
        },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Your payout of 968.20 € is on its way',
    from: 'Tilla Pay <payouts@tilla-pay.example>',
    status: 'closed',
    messages: [
      laidOut(
        '10 04:30',
        {
          brand: 'TILLA PAY',
          colour: '#1d3f72',
          heading: 'Payout 968.20 €',
          blocks: [
            {
              rows: [
                ['Card payments (16)', '981.40 €'],
                ['Refunds', 'none'],
                ['Fees', '−13.20 €'],
                ['Payout', '968.20 €'],
              ],
            },
            'A quiet week? Shops with a gift card sell a sixth more before the holidays.',
          ],
          footer: 'Tilla Pay will never ask for your password by mail.',
        },
        { headers: machine },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Payment dispute opened for order 4642',
    from: 'Tilla Pay <disputes@tilla-pay.example>',
    status: 'open',
    assignee: 'ada',
    unread: everyone,
    messages: [
      laidOut(
        '1 05:10',
        {
          brand: 'TILLA PAY',
          colour: '#1d3f72',
          heading: 'A customer disputes a payment',
          blocks: [
            {
              rows: [
                ['Order', '4642'],
                ['Amount', '79.00 €'],
                ['Reason', 'Goods not received'],
                ['Answer by', '{d+6}'],
              ],
            },
            'Please upload a proof of delivery, or refund the payment. If we hear nothing, the amount goes back to the customer.',
            { button: 'Answer the dispute', link: 'https://tilla-pay.example/disputes/881' },
          ],
          footer: 'Tilla Pay will never ask for your password by mail.',
        },
        { headers: machine },
      ),
    ],
    notes: [
      note(
        '1 09:00',
        'tom',
        '@Ada 4642 was handed over at the door, Packhorse has the signature. Shall I write to the customer first?',
      ),
      note('1 09:12', 'ada', 'Yes please, kindly. It may be a mix-up of names on the statement.'),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Receipt for your hosting, {d20}',
    from: 'Molehill Hosting <billing@molehill-hosting.example>',
    status: 'closed',
    messages: [
      laidOut(
        '20 03:00',
        {
          brand: 'MOLEHILL HOSTING',
          colour: '#3d5a3d',
          heading: 'Thank you, we have received 19.00 €',
          blocks: [
            {
              rows: [
                ['Small server, one month', '16.00 €'],
                ['Backups', '3.00 €'],
                ['Total', '19.00 €'],
              ],
            },
            'Nothing to do for you. Your server has been up for 412 days.',
          ],
          footer: 'Molehill Hosting, under the hill. You can change how often you get receipts.',
        },
        {
          headers: machine,
          files: [
            pdf(
              'molehill-receipt.pdf',
              `
Receipt MH-20417
Larkwood

Small server, one month     16.00 €
Backups                      3.00 €
Paid on {i20}`,
            ),
          ],
        },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Your card ends soon (•••• 4417)',
    from: 'Molehill Hosting <billing@molehill-hosting.example>',
    status: 'open',
    unread: ['ada'],
    messages: [
      laidOut(
        '3 03:00',
        {
          brand: 'MOLEHILL HOSTING',
          colour: '#3d5a3d',
          heading: 'Your card ends next month',
          blocks: [
            'The card that ends in 4417 is valid until the end of next month. Add a new one before {d+25}, so that larkwood.example stays where it is.',
            { button: 'Add a card', link: 'https://molehill-hosting.example/cards' },
          ],
          footer: 'Molehill Hosting, under the hill.',
        },
        { headers: machine },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Monthly summary: deliveries and surcharges',
    from: 'Packhorse Parcels Accounts <noreply@packhorse.example>',
    status: 'closed',
    messages: [
      laidOut(
        '18 05:45',
        {
          brand: 'PACKHORSE PARCELS',
          colour: '#a15c00',
          heading: '143 parcels last month',
          blocks: [
            {
              rows: [
                ['Standard (118)', '767.00 €'],
                ['Large (21)', '252.00 €'],
                ['Express (4)', '58.00 €'],
                ['Fuel surcharge', '41.20 €'],
                ['Wet weather credit', '−24.00 €'],
                ['Total', '1 094.20 €'],
              ],
            },
            'The amount is collected on {d14}.',
          ],
          footer: 'Packhorse Parcels. This mailbox is not read.',
        },
        { headers: machine },
      ),
    ],
  },
  {
    inbox: 'billing',
    subject: 'Market news: euro, dollar, oak',
    from: 'Kontor Weekly <weekly@kontor-bank.example>',
    status: 'closed',
    messages: [
      laidOut(
        'sun1 06:20',
        {
          brand: 'KONTOR WEEKLY',
          colour: '#20324f',
          heading: 'Oak is up, walnut is calm',
          blocks: [
            'Sawn oak costs four percent more than in spring, as barrel makers are buying again. Walnut has not moved for a year.',
            'And in our column “small firms, small worries”: when may a friendly reminder stop being friendly?',
            { button: 'Read on', link: 'https://kontor-bank.example/weekly' },
          ],
          footer: 'Kontor Bank. You may leave this list at any time, we will not be hurt.',
          tracker: 'https://kontor-bank.example/px.gif?c=771',
        },
        { headers: newsletter('kontor-bank.example') },
      ),
    ],
  },
]
