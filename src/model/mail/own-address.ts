/** Which addresses are an inbox's own. No runtime imports, because the page bundles it. */

export function addressesOf({ address, aliases }: { address: string; aliases: readonly string[] }): string[] {
  return [address, ...aliases]
}

/** The inbox's own address that the given one belongs to: `support+anything@…` belongs to `support@…`. */
export function ownAddressOf(address: string, own: readonly string[]): string | undefined {
  const [local, domain] = splitAddress(address)
  return own.find((each) => {
    const [ownLocal, ownDomain] = splitAddress(each)
    return domain === ownDomain && (local === ownLocal || local.startsWith(`${ownLocal}+`))
  })
}

function splitAddress(address: string): [string, string] {
  const lower = address.toLowerCase()
  const at = lower.lastIndexOf('@')
  const domain = lower.slice(at + 1)
  // `münchen.example` is `xn--mnchen-3ya.example` in most mail.
  const host = `http://${domain}`
  return [
    lower.slice(0, at),
    /[^\0-\x7f]/.test(domain) && URL.canParse(host) ? new URL(host).hostname : domain,
  ]
}

interface Addressed {
  direction: 'inbound' | 'outbound'
  from: { address: string }
  to: readonly { address: string }[]
  cc: readonly { address: string }[]
}

/** The inbox's own address that a mail was sent to, or that an outbound mail came from; otherwise the first. */
export function answerFrom(mail: Addressed | null, own: readonly string[]): string {
  const candidates = mail ? (mail.direction === 'outbound' ? [mail.from] : [...mail.to, ...mail.cc]) : []
  const written = candidates.map(({ address }) => ownAddressOf(address, own))
  return written.find((address) => address !== undefined) ?? own[0]!
}
