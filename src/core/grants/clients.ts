import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../../model/access.ts'
import type { ClientView } from '../../model/consent.ts'
import { checkName, cleanName } from '../../model/characters/names.ts'
import { SpoolError } from '../../model/errors.ts'
import { toTime } from '../../model/time.ts'
import { transaction } from '../../store/database.ts'
import type { Db } from '../../store/db.ts'
import {
  deleteEnteredClient,
  deleteSurplusClients,
  deleteUnusedClients,
  findClient as findClientRecord,
  insertClient,
  listEnteredClients,
  type ClientRecord,
} from '../../store/grants/clients.ts'
import { requireAdmin } from '../access/sessions.ts'
import type { Spool } from '../spool.ts'
import { oauthError } from './problem.ts'
import { findRedirectProblem } from './redirects.ts'

export interface Client {
  id: string
  kind: ClientRecord['kind'] | 'document'
  name: string | null
  redirectUris: readonly string[]
}

const day = 86_400_000
const unusedLife = 7 * day
/** Anybody can register: beyond this number, the oldest clients without a grant are deleted. */
const mostUnused = 1_000
const mostRedirects = 10
/** PostgreSQL cannot index much longer ids. */
const longestId = 2_000

export async function findClient(spool: Spool, id: string): Promise<Client> {
  return isDocument(id) ? readDocument(spool, id) : findStoredClient(spool.db, id)
}

export function isDocument(id: string): boolean {
  return /^https?:/i.test(id)
}

/** One that registered or that an admin entered. */
export async function findStoredClient(db: Db, id: string): Promise<Client> {
  const client = await findClientRecord(db, id)
  if (client) return client
  throw new SpoolError(
    'not_found',
    'Spool does not know the program that sent you here. Remove Spool there and add it again.',
  )
}

const Document = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).max(100),
  token_endpoint_auth_method: z.string().optional(),
})

/** A Client ID Metadata Document: the id is the address where the client describes itself. */
async function readDocument(spool: Spool, id: string): Promise<Client> {
  const url = URL.canParse(id) ? new URL(id) : null
  // Accept only the canonical spelling, so that ids can be compared as text.
  if (!url || url.href !== id || url.hash !== '' || url.username !== '' || url.pathname === '/')
    throw badDocument(id, 'its id is not a plain address with a path')
  if (id.length > longestId) throw badDocument(id, `its id is longer than ${longestId} characters`)
  let read: unknown = null
  try {
    read = JSON.parse(await spool.fetchClientDocument(id))
  } catch (error) {
    if (error instanceof SpoolError) throw error
  }
  const { data: document } = Document.safeParse(read)
  if (!document) throw badDocument(id, 'it is not a client document')
  if (document.client_id !== id) throw badDocument(id, 'it describes another client')
  if ((document.token_endpoint_auth_method ?? 'none') !== 'none')
    throw badDocument(id, 'it wants to keep a secret, and Spool only takes public clients')
  const redirectUris = document.redirect_uris.filter((address) => findRedirectProblem(address) === null)
  return { id, kind: 'document', name: readName(document.client_name), redirectUris }
}

function badDocument(id: string, reason: string): SpoolError {
  const shown = JSON.stringify(id.slice(0, 200))
  return new SpoolError('bad_parameter', `The program at ${shown} cannot be connected: ${reason}.`)
}

/** Anybody may have written the name: reduce it to one line of visible text. */
function readName(name: string | undefined): string | null {
  return cleanName(name ?? '') || null
}

const Registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(mostRedirects),
  client_name: z.string().optional(),
})

/** RFC 7591. Whatever else a client asks for, it becomes a public client for the code flow. */
export async function registerClient(spool: Spool, asked: unknown): Promise<Client & { createdAt: number }> {
  const { data: wanted } = Registration.safeParse(asked)
  if (!wanted)
    throw oauthError(
      'invalid_client_metadata',
      `Send a JSON object with 1 to ${mostRedirects} redirect_uris.`,
    )
  const problem = describeProblem(wanted.redirect_uris)
  if (problem !== null) throw oauthError('invalid_redirect_uri', problem)
  const client = {
    id: newClientId(),
    kind: 'registered',
    name: readName(wanted.client_name),
    redirectUris: wanted.redirect_uris,
    createdAt: spool.now(),
  } as const
  await transaction(spool.db, async (db) => {
    await insertClient(db, client)
    await deleteSurplusClients(db, mostUnused)
  })
  return client
}

function describeProblem(addresses: readonly string[]): string | null {
  for (const address of addresses) {
    const problem = findRedirectProblem(address)
    if (problem !== null) return `${JSON.stringify(address.slice(0, 200))} ${problem}.`
  }
  return null
}

function newClientId(): string {
  return `client_${randomBytes(16).toString('base64url')}`
}

export async function listClients(spool: Spool, actor: Actor): Promise<ClientView[]> {
  await requireAdmin(spool, spool.db, actor)
  return (await listEnteredClients(spool.db)).map(viewClient)
}

export async function enterClient(
  spool: Spool,
  actor: Actor,
  { name, redirectUris }: { name: string; redirectUris: string[] },
): Promise<ClientView> {
  const problem = describeProblem(redirectUris)
  if (problem !== null) throw new SpoolError('bad_parameter', problem)
  const client: ClientRecord = {
    id: newClientId(),
    kind: 'entered',
    name: checkName(name),
    redirectUris,
    createdAt: spool.now(),
  }
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    await insertClient(db, client)
  })
  return viewClient(client)
}

export async function removeClient(spool: Spool, actor: Actor, id: string): Promise<void> {
  await transaction(spool.db, async (db) => {
    await requireAdmin(spool, db, actor)
    if (!(await deleteEnteredClient(db, id, spool.now())))
      throw new SpoolError('not_found', 'This client does not exist. It may have been removed.')
  })
}

function viewClient({ id, name, redirectUris, createdAt }: ClientRecord): ClientView {
  return { id, name, redirectUris, createdAt: toTime(createdAt) }
}

export async function forgetUnusedClients(spool: Spool): Promise<void> {
  const now = spool.now()
  await transaction(spool.db, (db) => deleteUnusedClients(db, now, now - unusedLife))
}
