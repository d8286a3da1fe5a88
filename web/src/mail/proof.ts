import type { MessageEntry } from '../../../src/model/history.ts'

/** Whether the sender is who the mail says. */
export type Proof = 'proved' | 'refuted' | 'none'

/**
 * DMARC alone is about the sender that is shown. SPF is about the envelope, and a DKIM signature that holds may be of any
 * domain: whoever has one of their own signs mail in the name of others with it.
 */
export function proofOf({ authentication }: Pick<MessageEntry, 'authentication'>): Proof {
  if (authentication?.dmarc === 'pass') return 'proved'
  return authentication?.dmarc === 'fail' ? 'refuted' : 'none'
}
