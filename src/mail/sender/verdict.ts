import { domainToASCII } from 'node:url'
import type { Address, Authentication } from '../../model/mail/mail.ts'

/** What was found out about a sender, and of which domain: that of From as whoever checked it has read it. */
export interface SenderVerdict {
  authentication: Authentication
  author: string | null
}

/**
 * Programs read a broken From each in their own way, so that one sender can be proved and another be shown. DMARC counts
 * only where they are of one domain.
 */
export function judgeSender({ authentication, author }: SenderVerdict, from: Address | null): Authentication {
  const isShown = author !== null && from !== null && domainOf(from.address) === domainOf(`@${author}`)
  return authentication.dmarc !== 'pass' || isShown ? authentication : { ...authentication, dmarc: null }
}

/** As name servers know it; null where there is none. */
function domainOf(address: string): string | null {
  const at = address.lastIndexOf('@')
  return (at === -1 ? '' : domainToASCII(address.slice(at + 1)).replace(/\.$/, '')) || null
}
