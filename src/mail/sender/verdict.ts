import { domainToASCII } from 'node:url'
import type { Address, Authentication } from '../../model/mail/mail.ts'

/** The result of checking a sender, and the domain it applies to: that of From, as the checker parsed it. */
export interface SenderVerdict {
  authentication: Authentication
  author: string | null
}

/** The check did not finish. */
export const unchecked: SenderVerdict = {
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' },
  author: null,
}

/**
 * Programs parse a broken From in different ways, so one sender could be verified and another shown. DMARC counts only
 * if both have the same domain.
 */
export function judgeSender({ authentication, author }: SenderVerdict, from: Address | null): Authentication {
  const isShown = author !== null && from !== null && domainOf(from.address) === domainOf(`@${author}`)
  return authentication.dmarc !== 'pass' || isShown ? authentication : { ...authentication, dmarc: null }
}

/** As used in DNS; null if there is none. */
function domainOf(address: string): string | null {
  const at = address.lastIndexOf('@')
  return (at === -1 ? '' : domainToASCII(address.slice(at + 1)).replace(/\.$/, '')) || null
}
