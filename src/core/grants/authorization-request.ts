import { grantScopes } from '../../model/consent.ts'
import { SpoolError } from '../../model/errors.ts'
import type { SignedIn } from '../access/sessions.ts'
import { isSame } from '../cursors.ts'
import type { Spool } from '../spool.ts'
import { agentResource } from '../tokens/authentication.ts'
import { findClient } from './clients.ts'
import type { OAuthWord } from './problem.ts'
import { addParameters, matchesRedirect } from './redirects.ts'

/** What Spool must remember of a request until the client redeems its code. */
interface Asked {
  clientId: string
  redirectUri: string
  state: string | null
  challenge: string
}

const names = [
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'resource',
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
] as const

/** Throws if the client or its redirect address is not trusted: then the browser is not redirected. */
export async function readRequest(spool: Spool, query: string) {
  const given = readOnce(query)
  const redirectUri = given.redirect_uri ?? ''
  const client = await findClient(spool, given.client_id ?? '')
  if (!matchesRedirect(client.redirectUris, redirectUri))
    throw new SpoolError(
      'bad_parameter',
      'The program asked to send you to an address that it has not registered, so Spool stopped here.',
    )
  const words = new Set((given.scope ?? '').split(' '))
  return {
    client,
    asked: {
      clientId: client.id,
      redirectUri,
      state: given.state ?? null,
      challenge: given.code_challenge ?? '',
    },
    scopes: grantScopes.filter((scope) => words.has(scope)),
    problem: findProblem(spool, given),
  }
}

type Given = Partial<Record<(typeof names)[number], string>>

function readOnce(query: string): Given {
  const parameters = new URLSearchParams(query)
  const given: Given = {}
  for (const name of names) {
    const [value, ...more] = parameters.getAll(name)
    if (more.length > 0) throw new SpoolError('bad_parameter', `The program sent ${name} more than once.`)
    if (value?.includes('\0'))
      throw new SpoolError('bad_parameter', `The program sent a NUL character in ${name}.`)
    if (value !== undefined && value !== '') given[name] = value
  }
  return given
}

/** What the client did wrong, reported back to it. */
function findProblem(spool: Spool, given: Given): { error: OAuthWord; message: string } | null {
  if (given.response_type !== 'code')
    return { error: 'unsupported_response_type', message: 'response_type must be code.' }
  if ((given.response_mode ?? 'query') !== 'query')
    return { error: 'invalid_request', message: 'response_mode must be query.' }
  if (given.code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(given.code_challenge ?? ''))
    return { error: 'invalid_request', message: 'PKCE is required, with code_challenge_method S256.' }
  if (given.resource !== agentResource(spool))
    return { error: 'invalid_target', message: `resource must be ${agentResource(spool)}.` }
  return null
}

/** The redirect URL with the answer; `iss` tells the client which server answered (RFC 9207). */
export function answerUrl(spool: Spool, asked: Asked, parameters: Record<string, string>): string {
  const state = asked.state === null ? {} : { state: asked.state }
  return addParameters(asked.redirectUri, { ...parameters, ...state, iss: spool.url })
}

const ticketLife = 30 * 60_000

/** Binds the request to the session it was shown to, so nothing needs to be stored until a person decides. */
export function writeTicket(spool: Spool, { session }: SignedIn, asked: Asked): string {
  const claim = Buffer.from(JSON.stringify({ asked, session, until: spool.now() + ticketLife })).toString(
    'base64url',
  )
  return `${claim}.${spool.keys.consents.sign(claim)}`
}

export function readTicket(spool: Spool, actor: SignedIn, ticket: string): Asked {
  const [claim = '', signature = ''] = ticket.split('.')
  if (!isSame(signature, spool.keys.consents.sign(claim))) throw oldTicket()
  const { asked, session, until } = JSON.parse(Buffer.from(claim, 'base64url').toString()) as {
    asked: Asked
    session: string
    until: number
  }
  if (session !== actor.session || until <= spool.now()) throw oldTicket()
  return asked
}

function oldTicket(): SpoolError {
  return new SpoolError('not_found', 'This request has expired or belongs to someone else. Reload the page.')
}
