import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { quoteServer, SpoolError } from '../../model/errors.ts'
import {
  GrantRefused,
  ProviderAway,
  type GuardedFetch,
  type OAuthClient,
  type OAuthExchange,
  type OAuthTokens,
} from '../../model/mail/oauth.ts'
import { explainNoAnswer } from '../connection-trouble.ts'

interface Discovered {
  configuration: Promise<Configuration>
  until: number
}

/** Milliseconds for which a provider's metadata is cached. */
const metadataLife = 3_600_000
/** Lifetime of an access token in seconds, if the provider does not state it. */
const usualLife = 3_600

/** Speaks OAuth 2 with mail providers, through the given `fetch`. */
export function makeExchange(fetch: GuardedFetch): OAuthExchange {
  const known = new Map<string, Discovered>()

  const discover = async (client: OAuthClient): Promise<Configuration> => {
    const { issuer, clientId, clientSecret } = client
    const key = JSON.stringify([issuer, clientId, clientSecret])
    const found = known.get(key)
    if (found && found.until > performance.now()) return found.configuration
    const configuration = discoverNow(fetch, client)
    known.set(key, { configuration, until: performance.now() + metadataLife })
    configuration.catch(() => known.delete(key))
    return configuration
  }

  const ask = async (
    client: OAuthClient,
    request: (configuration: Configuration) => Promise<TokenEndpointResponse & TokenEndpointResponseHelpers>,
  ): Promise<OAuthTokens> => {
    let isAsked = false
    try {
      const configuration = await discover(client)
      isAsked = true
      return readTokens(await request(configuration))
    } catch (error) {
      throw explain(client, error, isAsked)
    }
  }

  return {
    async authorizationUrl(client, { redirectUri, state, verifier, nonce, hint }) {
      try {
        const configuration = await discover(client)
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: client.scopes.join(' '),
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          ...(client.scopes.includes('openid') ? { nonce } : {}),
          login_hint: hint,
          // A refresh token is issued only with fresh consent; Microsoft issues one by scope.
          prompt: client.provider === 'microsoft' ? 'select_account' : 'consent',
          ...(client.provider === 'google' ? { access_type: 'offline' } : {}),
        })
        return url.href
      } catch (error) {
        throw explain(client, error)
      }
    },
    redeem: (client, { redirectUri, state, verifier, nonce }, answer) =>
      ask(client, async (configuration) => {
        const { authorizationCodeGrant } = await import('openid-client')
        const url = new URL(redirectUri)
        const { iss, ...rest } = answer
        for (const [name, value] of Object.entries({ ...rest, ...(iss === null ? {} : { iss }) }))
          url.searchParams.set(name, value)
        return authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          ...(client.scopes.includes('openid') ? { expectedNonce: nonce } : {}),
        })
      }),
    renew: (client, refreshToken, scopes) =>
      ask(client, async (configuration) => {
        const { refreshTokenGrant } = await import('openid-client')
        return refreshTokenGrant(configuration, refreshToken, scopes ? { scope: scopes.join(' ') } : {})
      }),
    obtain: (client) =>
      ask(client, async (configuration) => {
        const { clientCredentialsGrant } = await import('openid-client')
        return clientCredentialsGrant(configuration, { scope: client.scopes.join(' ') })
      }),
  }
}

async function discoverNow(
  fetch: GuardedFetch,
  { issuer, clientId, clientSecret }: OAuthClient,
): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretPost, customFetch, discovery, None } =
    await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, {}, clientSecret === null ? None() : ClientSecretPost(clientSecret), {
    [customFetch]: fetch,
    // The guard allows plain http only to networks named in the configuration.
    execute: server.protocol === 'http:' ? [allowInsecureRequests] : [],
  })
}

function readTokens(answer: TokenEndpointResponse & TokenEndpointResponseHelpers): OAuthTokens {
  const claims = answer.claims() ?? {}
  const { email, preferred_username: name, upn } = claims as Record<string, unknown>
  const account = [email, name, upn].find(
    (each): each is string =>
      typeof each === 'string' && /^[^\s\p{C}@]{1,200}@[^\s\p{C}@]{1,200}$/u.test(each),
  )
  return {
    access: answer.access_token,
    endsAt: Date.now() + (answer.expiresIn() ?? usualLife) * 1000,
    refresh: answer.refresh_token ?? null,
    account: account?.toLowerCase() ?? null,
  }
}

interface Trouble {
  /** Fields of an error response, as RFC 6749 names them. */
  error?: string
  error_description?: unknown
  status?: number
  code?: string
  message?: string
  cause?: unknown
}

/** Errors that only a person can resolve; others may go away on retry. */
const refusals: Record<string, string> = {
  invalid_grant: 'it ended, was revoked or was used already; sign in again',
  invalid_client: 'it does not know the client or its secret; check both, the secret may have expired',
  unauthorized_client: 'the client may not sign in this way; check its permissions and who may use it',
  invalid_scope: 'the client may not ask for mail; add the permissions that the guide names',
  access_denied: 'consent was refused; sign in again, or ask an administrator to consent',
  consent_required: 'an administrator must consent first',
  interaction_required: 'it wants the person to sign in again',
  login_required: 'it wants the person to sign in again',
  invalid_request: 'it does not understand the request; check the client and the redirect address',
}

function explain(client: OAuthClient, error: unknown, isAsked = false): SpoolError {
  if (error instanceof SpoolError) return error
  const { error: code = '', error_description: description, status = 0 } = error as Trouble
  const host = new URL(client.issuer).host
  const said = clean(description, client)
  if (Object.hasOwn(refusals, code) && status < 500)
    return new GrantRefused(
      `${host} refuses this sign-in (${code}): ${refusals[code]}.${said === '' ? '' : ` It says: ${said}`}`,
      { hasEnded: code === 'invalid_grant' },
    )
  const inner = innermost(error)
  if (inner instanceof SpoolError) return inner
  const network = explainNoAnswer(host, inner)
  const isUnanswered = isAsked && status === 0
  if (network !== null) return new ProviderAway(network, { isUnanswered })
  const detail = clean(code || inner.message || 'no answer', client)
  return new ProviderAway(
    `${host} does not answer as a sign-in server should (${detail}); it may be away for a while, or its address is wrong.`,
    { isUnanswered },
  )
}

/** The library and the network layer wrap the original error. */
function innermost(error: unknown): Error {
  let inner = error as Error
  for (let depth = 0; depth < 5; depth++) {
    if (inner instanceof SpoolError || !(inner.cause instanceof Error)) break
    inner = inner.cause
  }
  return inner
}

/** A provider's messages are shown and logged: one line, without the secret and without anything like a token. */
function clean(words: unknown, { clientSecret }: OAuthClient): string {
  if (typeof words !== 'string') return ''
  const hidden = clientSecret === null ? words : words.replaceAll(clientSecret, '…')
  return quoteServer(hidden.replaceAll(/[A-Za-z0-9_\-.~+/]{40,}/g, '…'))
}
