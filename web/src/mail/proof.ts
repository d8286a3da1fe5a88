import type { MessageEntry } from '../../../src/model/history.ts'

/** Whether the sender is authenticated. */
export type Proof = 'proved' | 'refuted' | 'none'

/**
 * Only DMARC covers the sender that is shown. SPF covers the envelope, and a valid DKIM signature may belong to any
 * domain: anybody can sign mail in somebody else's name with a domain of their own.
 */
export function proofOf({ authentication }: Pick<MessageEntry, 'authentication'>): Proof {
  if (authentication?.dmarc === 'pass') return 'proved'
  return authentication?.dmarc === 'fail' ? 'refuted' : 'none'
}
