import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SpoolError } from '../model/errors.ts'

export interface Address {
  address: string
  family: 4 | 6
}

/** Where a request may go. Connect to `address`, because that is the one that was checked. */
export interface Target {
  url: URL
  address: Address
}

/** Deliveries carry Spool's data and need https; fetched content is public, but must come from port 80 or 443. */
const rules = {
  webhook: {
    protocols: ['https:'],
    ports: null,
    sentence: (reason: string) =>
      `A webhook needs an https address that is public: ${reason}. SPOOL_WEBHOOK_ALLOW can name a network of your own.`,
  },
  fetch: {
    protocols: ['https:', 'http:'],
    ports: ['', '80', '443'],
    sentence: (reason: string) =>
      `Spool fetches only from public addresses: ${reason}. SPOOL_FETCH_ALLOW can name a network of your own.`,
  },
} as const

export interface GuardOptions {
  for?: keyof typeof rules
  /** Private networks and addresses that may be reached, also over `http`. */
  allow: readonly string[]
  resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>
}

/** Blocks requests to networks that only Spool can reach (SSRF). */
export class Guard {
  readonly #rules: (typeof rules)[keyof typeof rules]
  readonly #allow = new BlockList()
  readonly #allowsSome: boolean
  readonly #resolver: Pick<Resolver, 'resolve4' | 'resolve6'>

  constructor({ for: purpose = 'webhook', allow, resolver }: GuardOptions) {
    this.#rules = rules[purpose]
    this.#allowsSome = allow.length > 0
    // Not `dns.lookup`: it shares four threads with the whole process, and one slow name server could block them all.
    this.#resolver = resolver ?? new Resolver({ timeout: 2_000, tries: 2 })
    for (const network of allow) {
      const [address, bits] = network.split('/') as [string, string?]
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#allow.addAddress(address, family)
      else this.#allow.addSubnet(address, Number(bits), family)
    }
  }

  /** For a registration: an unknown name is accepted, because it may resolve later and is checked again then. */
  async checkRegistration(text: string): Promise<string> {
    const url = this.#readTarget(text)
    try {
      await this.check(url.href)
    } catch (error) {
      if (!(error instanceof UnknownName) || url.protocol !== 'https:') throw error
    }
    return url.href
  }

  /** For a request. Every address of the name must be allowed; the first is used. */
  async check(text: string): Promise<Target> {
    const url = this.#readTarget(text)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const literal = isIP(host)
    const addresses: Address[] =
      literal === 0 ? await this.#resolve(host) : [{ address: host, family: literal as 4 | 6 }]
    for (const { address, family } of addresses) {
      const allowed = this.#allow.check(address, family === 6 ? 'ipv6' : 'ipv4')
      if (allowed) continue
      if (!isPublic(address)) throw this.#refuse(`${host} is not a public address`)
      const { protocols, ports } = this.#rules
      if (!protocols.some((protocol) => protocol === url.protocol)) throw this.#refuse('it is not https')
      if (ports && !ports.some((port) => port === url.port))
        throw this.#refuse(`port ${url.port} is neither 80 nor 443`)
    }
    return { url, address: addresses[0]! }
  }

  async #resolve(name: string): Promise<Address[]> {
    if (!this.#allowsSome && /(^|\.)localhost\.?$/.test(name)) throw this.#refuse(`${name} is this machine`)
    const ask = async (family: 4 | 6): Promise<Address[]> => {
      const found = await (
        family === 4 ? this.#resolver.resolve4(name) : this.#resolver.resolve6(name)
      ).catch(() => [])
      return found.map((address) => ({ address, family }))
    }
    const found = (await Promise.all([ask(4), ask(6)])).flat()
    if (found.length > 0) return found
    // Private names may be in the hosts file, which the resolver does not read.
    const own = this.#allowsSome ? await lookup(name, { all: true }).catch(() => []) : []
    if (own.length === 0) throw new UnknownName(name)
    return own.map(({ address, family }) => ({ address, family: family as 4 | 6 }))
  }

  /** The URL parser normalises every spelling of an address (decimal, octal, hexadecimal, short). */
  #readTarget(text: string): URL {
    const url = URL.parse(text)
    if (!url) throw this.#refuse('it is not a valid URL')
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw this.#refuse(`${url.protocol} is not ${this.#rules.protocols.at(-1)!.slice(0, -1)}`)
    if (url.username !== '' || url.password !== '') throw this.#refuse('it contains a user name or password')
    if (url.hostname === '') throw this.#refuse('it has no host')
    url.hash = ''
    return url
  }

  #refuse(reason: string): SpoolError {
    return new SpoolError('bad_parameter', this.#rules.sentence(reason))
  }
}

export class UnknownName extends SpoolError {
  constructor(name: string) {
    super('bad_parameter', `No name server knows ${name}.`)
  }
}

/** Azure's public but VM-only address; it serves VM metadata. */
const azurePlatform = '168.63.129.16'

/** For IPv6 only global unicast, without addresses that embed IPv4. */
function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return address.toString() !== azurePlatform
  const [first, , , , fifth, sixth] = address.parts as [number, number, number, number, number, number]
  const isatap = (fifth & 0xfdff) === 0 && sixth === 0x5efe
  return first >= 0x2000 && first <= 0x3fff && !isatap
}
