import type { InboxName, Person } from './thread.ts'

/** Larkwood, a made-up workshop for picture frames, prints and small furniture. */

export const inboxes: Record<InboxName, { address: string; name: string }> = {
  support: { address: 'support@larkwood.example', name: 'Support' },
  billing: { address: 'billing@larkwood.example', name: 'Billing' },
}

export const people: Record<Person, { email: string; name: string; role: 'admin' | 'member' }> = {
  ada: { email: 'ada@larkwood.example', name: 'Ada Lindqvist', role: 'admin' },
  tom: { email: 'tom@larkwood.example', name: 'Tom Keller', role: 'member' },
  sofia: { email: 'sofia@larkwood.example', name: 'Sofia Barros', role: 'member' },
}

export function signature(person: Person): string {
  return `-- \n${people[person].name}\nLarkwood · frames, prints, small furniture\nhttps://larkwood.example`
}
