import { domainToASCII } from 'node:url'
import type { Address, Authentication, CheckedSender } from '../../model/mail/mail.ts'

/** The result of checking a sender, and the domain it applies to: that of From, as the checker parsed it. */
export interface SenderVerdict {
  authentication: Authentication
  author: string | null
  /** The check ended early or is not about all that is shown, so that nothing may be concluded from what it lacks. */
  isCut: boolean
}

/** The check did not finish. */
export const unchecked: SenderVerdict = {
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror' },
  author: null,
  isCut: true,
}

/**
 * Programs parse a broken From in different ways, so one sender could be verified and another shown. DMARC counts only
 * if both have the same domain. A sender who decides how a mail is made must not be able to end its check unnoticed:
 * unless DMARC passes, a check that says nothing of the address that is shown is told.
 */
export function judgeSender(
  { authentication, author, isCut }: SenderVerdict,
  from: Address | null,
): CheckedSender {
  const shown = from && domainOf(from.address)
  const isShown = author !== null && shown !== null && shown === domainOf(`@${author}`)
  // A program of the machine itself may write without a domain, which claims nothing.
  const hasClaim = from !== null && [from.address, from.name ?? ''].some((text) => addressLike.test(text))
  const isPassed = authentication.dmarc === 'pass'
  if (isPassed && isShown) return authentication
  const isOther = author !== null && !isShown
  const judged = isPassed ? { ...authentication, dmarc: null } : authentication
  return hasClaim && (isCut || isPassed || isOther) ? { ...judged, unchecked: true } : judged
}

/** Also as a name, which is shown where the address cannot be read, and with the signs that DNS takes for `@` and a dot. */
const addressLike = /[@\uFE6B\uFF20].*[.\u3002\uFF0E\uFF61]|^@$/

/** As used in DNS; null if there is none. */
function domainOf(address: string): string | null {
  const at = address.lastIndexOf('@')
  return (at === -1 ? '' : domainToASCII(address.slice(at + 1)).replace(/\.$/, '')) || null
}
