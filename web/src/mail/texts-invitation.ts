/** Loaded with the card of an invitation. */
export const texts = {
  kinds: {
    invitation: 'Invitation',
    cancelled: 'Cancelled event',
    answer: 'Answer to an invitation',
    counter: 'Another time proposed',
    event: 'Event',
  },
  noTitle: '(no title)',
  when: 'When',
  where: 'Where',
  organiser: 'Organiser',
  guests: 'Guests',
  from: 'From',
  more: (count: number) => `${count} more`,
  inZone: (time: string, zone: string) => `${time} (${zone})`,
  yours: (zone: string) => `your time, ${zone}`,
  repeats: { daily: 'Every day', weekly: 'Every week', monthly: 'Every month', yearly: 'Every year' },
  answers: { yes: 'yes', no: 'no', maybe: 'maybe' },
  asks: 'An answer is asked for: yes, no or maybe.',
}
