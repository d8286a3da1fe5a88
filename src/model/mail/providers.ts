import type { Security } from './server.ts'

interface ServerAddress {
  host: string
  port: number
  security: Security
}

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
}

interface Known extends MailProvider {
  /** Domains of its mail addresses. */
  domains: RegExp
  /** Its server names, including those that host other domains. */
  hosts: RegExp
}

const tls = (host: string, port: number): ServerAddress => ({ host, port, security: 'tls' })
const starttls = (host: string, port: number): ServerAddress => ({ host, port, security: 'starttls' })

const providers: readonly Known[] = [
  {
    name: 'Gmail',
    domains: /^(gmail|googlemail)\.com$/,
    hosts: /(^|\.)(gmail|google|googlemail)\.com$/,
    imap: tls('imap.gmail.com', 993),
    smtp: tls('smtp.gmail.com', 465),
    takesPasswords: true,
    passwordHint:
      'Google wants an app password here (myaccount.google.com/apppasswords, with 2-step verification on), not the password of the account.',
    link: 'https://myaccount.google.com/apppasswords',
  },
  {
    name: 'Fastmail',
    domains:
      /^(fastmail\.(com|fm|net|org|de|es|in|jp|nl|se|to|us|cn|uk|co\.uk|com\.au)|sent\.com|eml\.cc|messagingengine\.com)$/,
    hosts: /(^|\.)fastmail\.com$/,
    imap: tls('imap.fastmail.com', 993),
    smtp: tls('smtp.fastmail.com', 465),
    takesPasswords: true,
    passwordHint:
      'Fastmail wants an app password here (Settings → Privacy & Security → App passwords), not the password of the account.',
    link: 'https://app.fastmail.com/settings/security',
  },
  {
    name: 'mailbox.org',
    domains: /^mailbox\.org$/,
    hosts: /(^|\.)mailbox\.org$/,
    imap: tls('imap.mailbox.org', 993),
    smtp: tls('smtp.mailbox.org', 465),
    takesPasswords: true,
    passwordHint:
      'With two-factor sign-in, mailbox.org wants an app password here (Settings → Security → Application passwords).',
    link: 'https://login.mailbox.org',
  },
  {
    name: 'Microsoft',
    domains:
      /^((outlook|hotmail)\.[a-z.]{2,6}|live\.(com|at|be|ca|cl|cn|de|dk|fi|fr|hk|ie|in|it|jp|nl|no|ru|se|co\.uk|co\.za|com\.(ar|au|mx|my|pt|sg))|msn\.com|[a-z0-9-]+\.onmicrosoft\.com)$/,
    hosts: /(^|\.)(outlook|office365|hotmail)\.com$/,
    imap: tls('outlook.office365.com', 993),
    smtp: starttls('smtp-mail.outlook.com', 587),
    takesPasswords: false,
    passwordHint:
      'Microsoft takes no passwords for IMAP and SMTP any more; forward the mail to Spool by SMTP or LMTP instead.',
    link: null,
  },
  {
    name: 'iCloud',
    domains: /^(icloud|me|mac)\.com$/,
    hosts: /(^|\.)(icloud|me|mac)\.com$/,
    imap: tls('imap.mail.me.com', 993),
    smtp: starttls('smtp.mail.me.com', 587),
    takesPasswords: true,
    passwordHint: 'iCloud wants an app-specific password here (account.apple.com → Sign-In and Security).',
    link: 'https://account.apple.com',
  },
  {
    name: 'Yahoo',
    domains: /^(yahoo\.[a-z.]{2,6}|ymail\.com|rocketmail\.com)$/,
    hosts: /(^|\.)yahoo\.com$/,
    imap: tls('imap.mail.yahoo.com', 993),
    smtp: tls('smtp.mail.yahoo.com', 465),
    takesPasswords: true,
    passwordHint: 'Yahoo wants an app password here (Account security → Generate app password).',
    link: 'https://login.yahoo.com/account/security',
  },
  {
    name: 'AOL',
    domains: /^(aol\.(com|de|fr|co\.uk)|aim\.com)$/,
    hosts: /(^|\.)aol\.com$/,
    imap: tls('imap.aol.com', 993),
    smtp: tls('smtp.aol.com', 465),
    takesPasswords: true,
    passwordHint: 'AOL wants an app password here (Account security → Generate app password).',
    link: 'https://login.aol.com/account/security',
  },
  {
    name: 'GMX',
    domains: /^gmx\.(net|de|at|ch|eu|org|info)$/,
    hosts: /(^|\.)gmx\.net$/,
    imap: tls('imap.gmx.net', 993),
    smtp: tls('mail.gmx.net', 465),
    takesPasswords: true,
    passwordHint:
      'GMX must be told to allow IMAP first (E-mail settings → POP3/IMAP), and with two-factor sign-in wants an application-specific password.',
    link: 'https://www.gmx.net',
  },
  {
    name: 'WEB.DE',
    domains: /^(web|email)\.de$/,
    hosts: /(^|\.)web\.de$/,
    imap: tls('imap.web.de', 993),
    smtp: starttls('smtp.web.de', 587),
    takesPasswords: true,
    passwordHint:
      'WEB.DE must be told to allow IMAP first (E-mail settings → POP3/IMAP), and with two-factor sign-in wants an application-specific password.',
    link: 'https://web.de',
  },
  {
    name: 'Posteo',
    domains: /^posteo\.(de|net|org|eu|at|ch|be|dk|es|fr|it|nl|pl|se|uk|us)$/,
    hosts: /(^|\.)posteo\.de$/,
    imap: tls('posteo.de', 993),
    smtp: tls('posteo.de', 465),
    takesPasswords: true,
    passwordHint: null,
    link: null,
  },
  {
    name: 'Zoho',
    domains: /^zoho(mail)?\.com$/,
    hosts: /(^|\.)zoho\.com$/,
    imap: tls('imap.zoho.com', 993),
    smtp: tls('smtp.zoho.com', 465),
    takesPasswords: true,
    passwordHint:
      'With two-factor sign-in, Zoho wants an application-specific password here, and IMAP switched on in the settings.',
    link: 'https://accounts.zoho.com',
  },
  {
    name: 'Zoho',
    domains: /^zoho(mail)?\.eu$/,
    hosts: /(^|\.)zoho\.eu$/,
    imap: tls('imap.zoho.eu', 993),
    smtp: tls('smtp.zoho.eu', 465),
    takesPasswords: true,
    passwordHint:
      'With two-factor sign-in, Zoho wants an application-specific password here, and IMAP switched on in the settings.',
    link: 'https://accounts.zoho.eu',
  },
  {
    name: 'Yandex',
    domains: /^(yandex\.(com|ru|by|kz)|ya\.ru)$/,
    hosts: /(^|\.)yandex\.(com|ru)$/,
    imap: tls('imap.yandex.com', 993),
    smtp: tls('smtp.yandex.com', 465),
    takesPasswords: true,
    passwordHint:
      'Yandex wants an app password here, and IMAP allowed in the settings (All settings → Email clients).',
    link: 'https://id.yandex.com/security/app-passwords',
  },
  {
    name: 'T-Online',
    domains: /^(t-online|magenta)\.de$/,
    hosts: /(^|\.)t-online\.de$/,
    imap: tls('secureimap.t-online.de', 993),
    smtp: tls('securesmtp.t-online.de', 465),
    takesPasswords: true,
    passwordHint:
      'T-Online wants the password for e-mail programs here, which is made in the settings of its web mail.',
    link: 'https://email.t-online.de',
  },
]

/** By the domain of an address; null for an unknown provider. */
export function findProvider(domain: string): MailProvider | null {
  return providers.find(({ domains }) => domains.test(domain.toLowerCase())) ?? null
}

/** The most common host names. */
export function guessProvider(domain: string): MailProvider {
  return {
    name: domain,
    imap: tls(`imap.${domain}`, 993),
    smtp: tls(`smtp.${domain}`, 465),
    takesPasswords: true,
    passwordHint: null,
    link: null,
  }
}

export function hintForHost(host: string): string | null {
  return providers.find(({ hosts }) => hosts.test(host.toLowerCase()))?.passwordHint ?? null
}
