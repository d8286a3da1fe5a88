import type { InboxName, Person } from './thread.ts'

/** Larkwood, a made-up workshop for picture frames, prints and small furniture. */

/** `rules`: what the admin wrote for agents. */
export const inboxes: Record<InboxName, { address: string; name: string; rules: string }> = {
  support: {
    address: 'support@larkwood.example',
    name: 'Support',
    rules: [
      'Write short and friendly answers, and promise nothing that is not in the thread or here.',
      'Orders are delivered from Monday to Friday, not on a Saturday, but also to an office.',
      'Round frames are possible from 20 to 80 cm.',
      'Visits to the workshop are possible on weekdays until four, also before the holidays.',
    ].join('\n'),
  },
  billing: {
    address: 'billing@larkwood.example',
    name: 'Billing',
    rules: [
      'Never promise a refund.',
      'An invoice is really from us if it comes from billing@larkwood.example and names an order.',
    ].join('\n'),
  },
}

export const people: Record<Person, { email: string; name: string; role: 'admin' | 'member' }> = {
  ada: { email: 'ada@larkwood.example', name: 'Ada Lindqvist', role: 'admin' },
  tom: { email: 'tom@larkwood.example', name: 'Tom Keller', role: 'member' },
  sofia: { email: 'sofia@larkwood.example', name: 'Sofia Barros', role: 'member' },
}

export function signature(person: Person): string {
  return `-- \n${people[person].name}\nLarkwood · frames, prints, small furniture\nhttps://larkwood.example`
}
