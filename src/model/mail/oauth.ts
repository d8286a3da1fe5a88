import { z } from 'zod'
import { SpoolError } from '../errors.ts'
import type { ServerAddress } from './server.ts'

export const SignInProvider = z.enum(['microsoft', 'google', 'other'])
export type SignInProvider = z.infer<typeof SignInProvider>

/** `delegated`: a person consents in the browser. `app`: client credentials that an administrator granted. */
export const SignInWay = z.enum(['delegated', 'app'])
export type SignInWay = z.infer<typeof SignInWay>

/** The client registered with the provider, from the environment or entered by an admin. */
export interface RegisteredClient {
  clientId: string
  clientSecret: string | null
  /** Microsoft only. */
  tenant: string | null
}

/** What is needed to request tokens from a provider. */
export interface OAuthClient extends Omit<RegisteredClient, 'tenant'> {
  provider: SignInProvider
  way: SignInWay
  issuer: string
  scopes: readonly string[]
  /** For sending through Graph, which accepts only tokens issued for it. */
  sendScopes?: readonly string[]
}

export interface OAuthTokens {
  access: string
  /** Epoch milliseconds. */
  endsAt: number
  /** Null if the provider issued no new one: the current one stays in use. */
  refresh: string | null
  /** The address that signed in, if the provider reports it. */
  account: string | null
}

/** Talks to a provider. Methods reject with `GrantRefused` or `ProviderAway`. */
export interface OAuthExchange {
  authorizationUrl(client: OAuthClient, request: CodeRequest): Promise<string>
  redeem(
    client: OAuthClient,
    request: CodeRequest,
    answer: { code: string; state: string; iss: string | null },
  ): Promise<OAuthTokens>
  /** `scopes`, if given, replace those of the first sign-in. */
  renew(client: OAuthClient, refreshToken: string, scopes?: readonly string[]): Promise<OAuthTokens>
  obtain(client: OAuthClient): Promise<OAuthTokens>
}

export interface CodeRequest {
  redirectUri: string
  state: string
  verifier: string
  nonce: string
  /** The account to preselect. */
  hint: string
}

/** The provider refused: retrying will not help until somebody takes action. */
export class GrantRefused extends SpoolError {
  /** The grant itself is no longer valid (`invalid_grant`), as opposed to the client or what it requests. */
  readonly hasEnded: boolean

  constructor(message: string, { hasEnded = false } = {}) {
    super('conflict', message)
    this.hasEnded = hasEnded
  }
}

/** The provider is unreachable or failing: the request is retried later. */
export class ProviderAway extends SpoolError {
  /** A request may have reached the provider although no response arrived. */
  readonly isUnanswered: boolean

  constructor(message: string, { isUnanswered = false } = {}) {
    super('conflict', message)
    this.isUnanswered = isUnanswered
  }
}

interface KnownProvider {
  name: string
  issuer(tenant: string | null): string
  scopes: Record<SignInWay, readonly string[] | null>
  sendScopes: Record<SignInWay, readonly string[]> | null
  imap: ServerAddress
  smtp: ServerAddress
}

export const graphServer: ServerAddress = { host: 'graph.microsoft.com', port: 443, security: 'tls' }

/** Scopes as listed in the providers' own guides. */
export const knownProviders: Record<Exclude<SignInProvider, 'other'>, KnownProvider> = {
  microsoft: {
    name: 'Microsoft 365',
    issuer: (tenant) => `https://login.microsoftonline.com/${encodeURIComponent(tenant ?? 'common')}/v2.0`,
    scopes: {
      delegated: [
        'openid',
        'email',
        'profile',
        'offline_access',
        'https://outlook.office.com/IMAP.AccessAsUser.All',
        'https://outlook.office.com/SMTP.Send',
      ],
      app: ['https://outlook.office365.com/.default'],
    },
    sendScopes: {
      delegated: ['https://graph.microsoft.com/Mail.Send', 'offline_access'],
      app: ['https://graph.microsoft.com/.default'],
    },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls' },
  },
  google: {
    name: 'Google',
    issuer: () => 'https://accounts.google.com',
    scopes: { delegated: ['openid', 'email', 'https://mail.google.com/'], app: null },
    sendScopes: null,
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
  },
}

/** `fetch` for URLs supplied by others. */
export type GuardedFetch = (
  url: string,
  options: {
    method?: string
    headers?: Record<string, string>
    body?: unknown
    signal?: AbortSignal | undefined
  },
) => Promise<Response>
