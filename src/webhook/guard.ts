import { lookup, Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SpoolError } from '../model/errors.ts'

export interface Address {
  address: string
  family: 4 | 6
}

/** Where a delivery may go: the address that was checked is the one to connect to. */
export interface Target {
  url: URL
  address: Address
}

export interface GuardOptions {
  /** Networks and addresses of one's own that may be reached, by `http` too. */
  allow: readonly string[]
  resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>
}

/** Keeps deliveries out of the networks that only Spool can reach. */
export class Guard {
  readonly #allow = new BlockList()
  readonly #allowsSome: boolean
  readonly #resolver: Pick<Resolver, 'resolve4' | 'resolve6'>

  constructor({ allow, resolver }: GuardOptions) {
    this.#allowsSome = allow.length > 0
    // Not the system's look-up: that has four threads for everyone, and one slow name server could hold them all.
    this.#resolver = resolver ?? new Resolver({ timeout: 2_000, tries: 2 })
    for (const network of allow) {
      const [address, bits] = network.split('/') as [string, string?]
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#allow.addAddress(address, family)
      else this.#allow.addSubnet(address, Number(bits), family)
    }
  }

  /** For a registration: a name that nobody knows yet may be known later, and is checked then. */
  async checkRegistration(text: string): Promise<string> {
    const url = readTarget(text)
    try {
      await this.check(url.href)
    } catch (error) {
      if (!(error instanceof UnknownName) || url.protocol !== 'https:') throw error
    }
    return url.href
  }

  /** For a delivery. Every address of a name must be one that may be reached; the first is connected to. */
  async check(text: string): Promise<Target> {
    const url = readTarget(text)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const literal = isIP(host)
    const addresses: Address[] =
      literal === 0 ? await this.#resolve(host) : [{ address: host, family: literal as 4 | 6 }]
    for (const { address, family } of addresses) {
      const allowed = this.#allow.check(address, family === 6 ? 'ipv6' : 'ipv4')
      if (!allowed && !isPublic(address)) throw refuse(`${host} is not a public address`)
      if (!allowed && url.protocol !== 'https:') throw refuse('it is not https')
    }
    return { url, address: addresses[0]! }
  }

  async #resolve(name: string): Promise<Address[]> {
    if (!this.#allowsSome && /(^|\.)localhost\.?$/.test(name)) throw refuse(`${name} is this machine`)
    const ask = async (family: 4 | 6): Promise<Address[]> => {
      const found = await (
        family === 4 ? this.#resolver.resolve4(name) : this.#resolver.resolve6(name)
      ).catch(() => [])
      return found.map((address) => ({ address, family }))
    }
    const found = (await Promise.all([ask(4), ask(6)])).flat()
    if (found.length > 0) return found
    // Names of one's own network may stand in the hosts file, where a name server does not look.
    const own = this.#allowsSome ? await lookup(name, { all: true }).catch(() => []) : []
    if (own.length === 0) throw new UnknownName(name)
    return own.map(({ address, family }) => ({ address, family: family as 4 | 6 }))
  }
}

export class UnknownName extends SpoolError {
  constructor(name: string) {
    super('bad_parameter', `No name server knows ${name}.`)
    this.name = 'UnknownName'
  }
}

/** The parser brings every spelling of an address (decimal, octal, hexadecimal, short) into the usual one. */
function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url) throw refuse('it cannot be read as an address')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse(`${url.protocol} is not https`)
  if (url.username !== '' || url.password !== '') throw refuse('it holds a user name or password')
  if (url.hostname === '') throw refuse('it names no host')
  url.hash = ''
  return url
}

function refuse(reason: string): SpoolError {
  return new SpoolError(
    'bad_parameter',
    `A webhook needs an https address that is public: ${reason}. SPOOL_WEBHOOK_ALLOW can name a network of your own.`,
  )
}

/** A public number that only machines of one cloud can reach, and its metadata with it. */
const azurePlatform = '168.63.129.16'

/** Of IPv6 only what was given out for the open net, without those that carry an IPv4 address inside. */
function isPublic(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return address.toString() !== azurePlatform
  const [first, , , , fifth, sixth] = address.parts as [number, number, number, number, number, number]
  const isatap = (fifth & 0xfdff) === 0 && sixth === 0x5efe
  return first >= 0x2000 && first <= 0x3fff && !isatap
}
