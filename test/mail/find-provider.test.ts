import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { test } from 'node:test'
import { lookUpProvider, type FoundProvider } from '../../src/mail/find-provider.ts'
import { NameServer } from '../support/name-server.ts'

interface Domain {
  mx?: string[]
  /** By service, as host:port. */
  srv?: Record<string, string[]>
  /** Of the domain's autoconfig file; `slow` never comes. */
  autoconfig?: string | 'slow'
  /** Its name server does not answer. */
  silent?: boolean
  /** What is offered: how it was found, by whose sign-in, and where. */
  offer: `${FoundProvider['by']} ${FoundProvider['signIn']} ${string}`
}

const file = (imap: string, smtp: string, socket = 'SSL'): string => {
  const server = (element: string, type: string, host: string, port: number): string =>
    `<${element} type="${type}"><hostname>${host}</hostname><port>${port}</port><socketType>${socket}</socketType><username>%EMAILADDRESS%</username></${element}>`
  return `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="x">${server('incomingServer', 'pop3', imap, 995)}${server('incomingServer', 'imap', imap, socket === 'SSL' ? 993 : 143)}${server('outgoingServer', 'smtp', smtp, socket === 'SSL' ? 465 : 587)}</emailProvider></clientConfig>`
}
const srv = (imaps: string, submissions: string): Record<string, string[]> => ({
  '_imaps._tcp': [imaps],
  '_submissions._tcp': [submissions],
})
const microsoft = 'microsoft outlook.office365.com'
const google = 'google imap.gmail.com'

/** Made up after the answers of real domains. */
const domains: Record<string, Domain> = {
  'gmail.com': { offer: `name ${google}` },
  'outlook.com': { offer: `name ${microsoft}` },
  'contoso.onmicrosoft.com': { offer: `name ${microsoft}` },
  'fastmail.fm': { offer: 'name other imap.fastmail.com' },
  'proton.me': { offer: 'name other 127.0.0.1' },
  'web.de': { offer: 'name other imap.web.de' },
  'microsoft.example': { mx: ['microsoft-example.mail.protection.outlook.com'], offer: `mx ${microsoft}` },
  'dnssec.example': { mx: ['dnssec-example.o-v1.mx.microsoft'], offer: `mx ${microsoft}` },
  'government.example': { mx: ['x.mail.eo.outlook.com'], offer: `mx ${microsoft}` },
  'capitals.example': { mx: ['Capitals-Example.MAIL.Protection.Outlook.COM'], offer: `mx ${microsoft}` },
  'google.example': {
    mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com', 'alt2.aspmx.l.google.com'],
    offer: `mx ${google}`,
  },
  'google-new.example': { mx: ['smtp.google.com'], offer: `mx ${google}` },
  'google-old.example': { mx: ['aspmx2.googlemail.com'], offer: `mx ${google}` },
  'fastmail.example': {
    mx: ['in1-smtp.messagingengine.com', 'in2-smtp.messagingengine.com'],
    offer: 'mx other imap.fastmail.com',
  },
  'zoho.example': { mx: ['mx.zoho.com', 'mx2.zoho.com'], offer: 'mx other imap.zoho.com' },
  'zoho-eu.example': { mx: ['mx.zoho.eu'], offer: 'mx other imap.zoho.eu' },
  'mailbox.example': { mx: ['mxext1.mailbox.org'], offer: 'mx other imap.mailbox.org' },
  'ionos.example': { mx: ['mx00.ionos.de', 'mx01.ionos.de'], offer: 'mx other imap.ionos.com' },
  'kundenserver.example': { mx: ['mx00.kundenserver.de'], offer: 'mx other imap.ionos.com' },
  'strato.example': { mx: ['smtpin.rzone.de'], offer: 'mx other imap.strato.de' },
  'ovh.example': { mx: ['mx1.mail.ovh.net'], offer: 'mx other ssl0.ovh.net' },
  'infomaniak.example': { mx: ['mta-gw.infomaniak.ch'], offer: 'mx other mail.infomaniak.com' },
  'icloud.example': { mx: ['mx01.mail.icloud.com'], offer: 'mx other imap.mail.me.com' },
  'yandex.example': { mx: ['mx.yandex.net'], offer: 'mx other imap.yandex.com' },
  'proton.example': { mx: ['mail.protonmail.ch'], offer: 'mx other 127.0.0.1' },
  // A filter in front: where the mail lies does not show, but the domain says it.
  'filtered.example': {
    mx: ['eu-smtp-inbound-1.mimecast.com'],
    srv: srv('imap.filtered.example:993', 'smtp.filtered.example:465'),
    offer: 'srv other imap.filtered.example',
  },
  'fallback.example': {
    mx: ['mail.fallback.example', 'fallback-example.mail.protection.outlook.com'],
    offer: 'guess other imap.fallback.example',
  },
  'dovecot.example': {
    mx: ['mail.dovecot.example'],
    srv: srv('mail.dovecot.example:993', 'mail.dovecot.example:465'),
    offer: 'srv other mail.dovecot.example',
  },
  'starttls.example': {
    mx: ['mail.starttls.example'],
    srv: { '_imap._tcp': ['mail.starttls.example:143'], '_submission._tcp': ['mail.starttls.example:587'] },
    offer: 'srv other mail.starttls.example',
  },
  'no-imap.example': {
    srv: srv('.:0', 'smtp.no-imap.example:465'),
    offer: 'guess other imap.no-imap.example',
  },
  'half.example': {
    srv: { '_imaps._tcp': ['mail.half.example:993'] },
    offer: 'guess other imap.half.example',
  },
  'autoconfig.example': {
    mx: ['mx.autoconfig.example'],
    autoconfig: file('in.autoconfig.example', 'out.autoconfig.example'),
    offer: 'autoconfig other in.autoconfig.example',
  },
  'autoconfig-starttls.example': {
    autoconfig: file('in.a.example', 'out.a.example', 'STARTTLS'),
    offer: 'autoconfig other in.a.example',
  },
  'none.example': { offer: 'guess other imap.none.example' },
  'null-mx.example': { mx: ['.'], offer: 'guess other imap.null-mx.example' },
  // Names that only look like a provider's.
  'lookalike.example': {
    mx: ['aspmx.l.google.com.evil.example'],
    offer: 'guess other imap.lookalike.example',
  },
  'lookalike-2.example': {
    mx: ['evilmail.protection.outlook.com.example'],
    offer: 'guess other imap.lookalike-2.example',
  },
  'plain.example': {
    autoconfig: file('in.plain.example', 'out.plain.example', 'plain'),
    offer: 'guess other imap.plain.example',
  },
  'odd-host.example': {
    autoconfig: file('in.x.example/../../', 'out.x.example'),
    offer: 'guess other imap.odd-host.example',
  },
  'slow.example': { silent: true, offer: 'guess other imap.slow.example' },
  'slow-file.example': {
    autoconfig: 'slow',
    mx: ['slow-file-example.mail.protection.outlook.com'],
    offer: `mx ${microsoft}`,
  },
}

test(`the right offer for ${Object.keys(domains).length} domains, each in time`, async (context) => {
  await using names = await NameServer.start({
    exchanges: (name) => domains[name]?.mx ?? [],
    services: (name) => {
      const [service, , ...rest] = name.split('.')
      return domains[rest.join('.')]?.srv?.[`${service}._tcp`] ?? []
    },
    isSilent: (name) => Object.keys(domains).some((each) => domains[each]!.silent && name.endsWith(each)),
  })
  // Only a server that never answers is given up; on a busy machine the others take long.
  const within = (timeout: number) => {
    const resolver = new Resolver({ timeout, tries: 2 })
    resolver.setServers([names.address])
    context.after(() => resolver.cancel())
    return { resolver, timeLimit: 2 * timeout }
  }
  const [patient, brief] = [within(60_000), within(1_500)]
  const over = new AbortController()
  context.after(() => over.abort())
  const asked: string[] = []
  const fetch = async (url: string, { signal }: { signal: AbortSignal }): Promise<Response> => {
    asked.push(url)
    const { hostname } = new URL(url)
    const text = domains[hostname.replace(/^autoconfig\.(?=.*\..*)/, '')]?.autoconfig
    if (text === 'slow')
      return new Promise((_, reject) =>
        AbortSignal.any([signal, over.signal]).addEventListener('abort', () => reject(new Error('late'))),
      )
    if (text === undefined || !hostname.startsWith('autoconfig.')) throw new Error('No such host.')
    return new Response(text)
  }
  const found = await Promise.all(
    Object.keys(domains).map(async (domain) => {
      const { by, signIn, imap } = await lookUpProvider(domain, {
        ...(domains[domain]!.silent ? brief : patient),
        fetch,
      })
      return [domain, `${by} ${signIn} ${imap.host}`] as const
    }),
  )
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(Object.entries(domains).map(([domain, { offer }]) => [domain, offer])),
  )
  assert.ok(!asked.some((url) => url.includes('gmail.com')), 'a known name asks nobody')
})

test('ports and encryption come with the servers that a domain names', async () => {
  const { resolver, fetch } = {
    resolver: {
      resolveMx: async () => [],
      resolveSrv: async (name: string) =>
        ({
          '_imap._tcp.shop.example': [{ name: 'mail.shop.example', port: 143, priority: 0, weight: 0 }],
          '_submission._tcp.shop.example': [
            { name: 'second.shop.example', port: 587, priority: 2, weight: 0 },
            { name: 'light.shop.example', port: 587, priority: 1, weight: 1 },
            { name: 'heavy.shop.example', port: 2587, priority: 1, weight: 9 },
          ],
        })[name] ?? [],
    },
    fetch: async () => Promise.reject(new Error('No such host.')),
  }
  const { imap, smtp } = await lookUpProvider('shop.example', { resolver, fetch, timeLimit: 60_000 })
  assert.deepEqual(imap, { host: 'mail.shop.example', port: 143, security: 'starttls' })
  assert.deepEqual(smtp, { host: 'heavy.shop.example', port: 2587, security: 'starttls' })
})
