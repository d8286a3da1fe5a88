import type { SignInProvider } from './oauth.ts'
import type { ServerAddress } from './server.ts'

/** A mail provider with known servers, so that nobody has to look them up. */
export interface MailProvider {
  name: string
  imap: ServerAddress
  smtp: ServerAddress
  /** False if it does not accept passwords for IMAP and SMTP at all. */
  takesPasswords: boolean
  /** Which password it wants, if not the one for its web site. */
  passwordHint: string | null
  /** Where to create that password or enable IMAP. */
  link: string | null
  /** The provider whose sign-in opens the mailbox instead of a password. */
  signIn: SignInProvider
}

/** What most providers have in common. */
const usual = { signIn: 'other', takesPasswords: true, passwordHint: null, link: null } as const

type Usual = keyof typeof usual

interface Known extends Omit<MailProvider, Usual>, Partial<Pick<MailProvider, Usual>> {
  /** Domains of its mail addresses. */
  domains: RegExp
  /** Its server names, including those that host other domains. */
  hosts: RegExp
  /** MX hosts of other domains that it hosts. */
  mx?: RegExp
}

const tls = (host: string, port: number): ServerAddress => ({ host, port, security: 'tls' })
const starttls = (host: string, port: number): ServerAddress => ({ host, port, security: 'starttls' })

const providers: readonly Known[] = [
  {
    name: 'Gmail',
    signIn: 'google',
    mx: /(^|\.)(l\.google|googlemail|smtp\.google)\.com$/,
    domains: /^(gmail|googlemail)\.com$/,
    hosts: /(^|\.)(gmail|google|googlemail)\.com$/,
    imap: tls('imap.gmail.com', 993),
    smtp: tls('smtp.gmail.com', 465),
    passwordHint:
      'Google requires an app password here (myaccount.google.com/apppasswords, with 2-step verification on), not your account password.',
    link: 'https://myaccount.google.com/apppasswords',
  },
  {
    name: 'Fastmail',
    mx: /(^|\.)messagingengine\.com$/,
    domains:
      /^(fastmail\.(com|fm|net|org|de|es|in|jp|nl|se|to|us|cn|uk|co\.uk|com\.au)|sent\.com|eml\.cc|messagingengine\.com)$/,
    hosts: /(^|\.)fastmail\.com$/,
    imap: tls('imap.fastmail.com', 993),
    smtp: tls('smtp.fastmail.com', 465),
    passwordHint:
      'Fastmail requires an app password here (Settings → Privacy & Security → App passwords), not your account password.',
    link: 'https://app.fastmail.com/settings/security',
  },
  {
    name: 'mailbox.org',
    mx: /(^|\.)mailbox\.org$/,
    domains: /^mailbox\.org$/,
    hosts: /(^|\.)mailbox\.org$/,
    imap: tls('imap.mailbox.org', 993),
    smtp: tls('smtp.mailbox.org', 465),
    passwordHint:
      'With two-factor sign-in, mailbox.org requires an app password here (Settings → Security → Application passwords).',
    link: 'https://login.mailbox.org',
  },
  {
    name: 'Microsoft',
    signIn: 'microsoft',
    mx: /(^|\.)((mail|olc)\.protection\.outlook\.com|mx\.microsoft|mail\.eo\.outlook\.com)$/,
    domains:
      /^((outlook|hotmail)\.[a-z.]{2,6}|live\.(com|at|be|ca|cl|cn|de|dk|fi|fr|hk|ie|in|it|jp|nl|no|ru|se|co\.uk|co\.za|com\.(ar|au|mx|my|pt|sg))|msn\.com|[a-z0-9-]+\.onmicrosoft\.com)$/,
    hosts: /(^|\.)(outlook|office365|hotmail)\.com$/,
    imap: tls('outlook.office365.com', 993),
    smtp: starttls('smtp-mail.outlook.com', 587),
    takesPasswords: false,
    passwordHint:
      'Microsoft no longer accepts passwords for IMAP and SMTP. Sign in, or forward the mail to Spool by SMTP or LMTP.',
  },
  {
    name: 'iCloud',
    mx: /(^|\.)mail\.icloud\.com$/,
    domains: /^(icloud|me|mac)\.com$/,
    hosts: /(^|\.)(icloud|me|mac)\.com$/,
    imap: tls('imap.mail.me.com', 993),
    smtp: starttls('smtp.mail.me.com', 587),
    passwordHint: 'iCloud requires an app-specific password here (account.apple.com → Sign-In and Security).',
    link: 'https://account.apple.com',
  },
  {
    name: 'Yahoo',
    domains: /^(yahoo\.[a-z.]{2,6}|ymail\.com|rocketmail\.com)$/,
    hosts: /(^|\.)yahoo\.com$/,
    imap: tls('imap.mail.yahoo.com', 993),
    smtp: tls('smtp.mail.yahoo.com', 465),
    passwordHint: 'Yahoo requires an app password here (Account security → Generate app password).',
    link: 'https://login.yahoo.com/account/security',
  },
  {
    name: 'AOL',
    domains: /^(aol\.(com|de|fr|co\.uk)|aim\.com)$/,
    hosts: /(^|\.)aol\.com$/,
    imap: tls('imap.aol.com', 993),
    smtp: tls('smtp.aol.com', 465),
    passwordHint: 'AOL requires an app password here (Account security → Generate app password).',
    link: 'https://login.aol.com/account/security',
  },
  {
    name: 'GMX',
    domains: /^gmx\.(net|de|at|ch|eu|org|info)$/,
    hosts: /(^|\.)gmx\.net$/,
    imap: tls('imap.gmx.net', 993),
    smtp: tls('mail.gmx.net', 465),
    passwordHint:
      'Turn on IMAP at GMX first (E-mail settings → POP3/IMAP). With two-factor sign-in, you need an application-specific password.',
    link: 'https://www.gmx.net',
  },
  {
    name: 'WEB.DE',
    domains: /^(web|email)\.de$/,
    hosts: /(^|\.)web\.de$/,
    imap: tls('imap.web.de', 993),
    smtp: starttls('smtp.web.de', 587),
    passwordHint:
      'Turn on IMAP at WEB.DE first (E-mail settings → POP3/IMAP). With two-factor sign-in, you need an application-specific password.',
    link: 'https://web.de',
  },
  {
    name: 'Posteo',
    domains: /^posteo\.(de|net|org|eu|at|ch|be|dk|es|fr|it|nl|pl|se|uk|us)$/,
    hosts: /(^|\.)posteo\.de$/,
    imap: tls('posteo.de', 993),
    smtp: tls('posteo.de', 465),
  },
  {
    name: 'Zoho',
    mx: /(^|\.)zoho\.com$/,
    domains: /^zoho(mail)?\.com$/,
    hosts: /(^|\.)zoho\.com$/,
    imap: tls('imap.zoho.com', 993),
    smtp: tls('smtp.zoho.com', 465),
    passwordHint:
      'With two-factor sign-in, Zoho requires an application-specific password here, and IMAP turned on in the settings.',
    link: 'https://accounts.zoho.com',
  },
  {
    name: 'Zoho',
    mx: /(^|\.)zoho\.eu$/,
    domains: /^zoho(mail)?\.eu$/,
    hosts: /(^|\.)zoho\.eu$/,
    imap: tls('imap.zoho.eu', 993),
    smtp: tls('smtp.zoho.eu', 465),
    passwordHint:
      'With two-factor sign-in, Zoho requires an application-specific password here, and IMAP turned on in the settings.',
    link: 'https://accounts.zoho.eu',
  },
  {
    name: 'Yandex',
    mx: /(^|\.)mx\.yandex\.(net|ru|com)$/,
    domains: /^(yandex\.(com|ru|by|kz)|ya\.ru)$/,
    hosts: /(^|\.)yandex\.(com|ru)$/,
    imap: tls('imap.yandex.com', 993),
    smtp: tls('smtp.yandex.com', 465),
    passwordHint:
      'Yandex requires an app password here, and IMAP turned on in the settings (All settings → Email clients).',
    link: 'https://id.yandex.com/security/app-passwords',
  },
  {
    name: 'T-Online',
    domains: /^(t-online|magenta)\.de$/,
    hosts: /(^|\.)t-online\.de$/,
    imap: tls('secureimap.t-online.de', 993),
    smtp: tls('securesmtp.t-online.de', 465),
    passwordHint:
      'T-Online requires a separate password for e-mail programs. Create it in the webmail settings.',
    link: 'https://email.t-online.de',
  },
  {
    name: 'IONOS',
    mx: /(^|\.)(kundenserver\.de|ionos\.(com|de|co\.uk|es|fr|it)|1and1\.(com|co\.uk|es|fr))$/,
    domains: /^(online\.de|onlinehome\.de)$/,
    hosts: /(^|\.)(ionos|1und1)\.(com|de)$/,
    imap: tls('imap.ionos.com', 993),
    smtp: tls('smtp.ionos.com', 465),
  },
  {
    name: 'STRATO',
    mx: /(^|\.)rzone\.de$/,
    domains: /^strato\.de$/,
    hosts: /(^|\.)strato\.(de|com)$/,
    imap: tls('imap.strato.de', 993),
    smtp: tls('smtp.strato.de', 465),
  },
  {
    name: 'OVHcloud',
    mx: /(^|\.)mail\.ovh\.(net|ca)$/,
    domains: /^ovh\.(net|com)$/,
    hosts: /(^|\.)ovh\.net$/,
    imap: tls('ssl0.ovh.net', 993),
    smtp: tls('ssl0.ovh.net', 465),
  },
  {
    name: 'Infomaniak',
    mx: /(^|\.)infomaniak\.ch$/,
    domains: /^(ikmail\.com|ik\.me|etik\.com)$/,
    hosts: /(^|\.)infomaniak\.(com|ch)$/,
    imap: tls('mail.infomaniak.com', 993),
    smtp: tls('mail.infomaniak.com', 465),
    passwordHint:
      'With two-factor sign-in, Infomaniak requires a password for this device (Mail → Settings).',
  },
  {
    name: 'Proton',
    mx: /(^|\.)protonmail\.ch$/,
    domains: /^(proton\.me|protonmail\.(com|ch)|pm\.me)$/,
    hosts: /(^|\.)proton\.me$/,
    imap: starttls('127.0.0.1', 1143),
    smtp: starttls('127.0.0.1', 1025),
    takesPasswords: false,
    passwordHint:
      'Proton mailboxes can only be opened through Proton Bridge on the same machine. Forward the mail to Spool by SMTP or LMTP instead.',
  },
]

/** By the domain of an address; null for an unknown provider. */
export function findProvider(domain: string): MailProvider | null {
  return offer(providers.find(({ domains }) => domains.test(domain.toLowerCase())))
}

/** By a domain's MX hosts. */
export function findProviderByMx(hosts: readonly string[]): MailProvider | null {
  const names = hosts.map((host) => host.toLowerCase().replace(/\.$/, ''))
  return offer(providers.find(({ mx }) => names.some((name) => mx?.test(name))))
}

function offer(known: Known | undefined): MailProvider | null {
  return known ? { ...usual, ...known } : null
}

/** For servers that are specific to a domain, such as those its DNS names. */
export function ownServers(domain: string, imap: ServerAddress, smtp: ServerAddress): MailProvider {
  const { name, passwordHint = null } = findByHost(imap.host) ?? { name: domain }
  return { ...usual, name, imap, smtp, passwordHint }
}

/** The most common host names. */
export function guessProvider(domain: string): MailProvider {
  return ownServers(domain, tls(`imap.${domain}`, 993), tls(`smtp.${domain}`, 465))
}

export function hintForHost(host: string): string | null {
  return findByHost(host)?.passwordHint ?? null
}

function findByHost(host: string): Known | undefined {
  return providers.find(({ hosts }) => hosts.test(host.toLowerCase()))
}
