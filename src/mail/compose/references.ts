import { rawField, readTopHeader } from '../parse/header.ts'
import { readInReplyTo, readReferences } from '../parse/message-ids.ts'

/** Message-IDs that can be written into an outgoing header without breaking it. */
const isSendable = (id: string) => /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/.test(id)
const longestChain = 100
const longestHeader = 1_000_000

/**
 * The whole reference chain of the answered message, with that message last (RFC 5322, 3.6.4). If it has no Message-ID,
 * the ids of its thread: mail programs then still show the reply in the right place.
 */
export function referencesTo(answered: {
  messageId: string | null
  source: Uint8Array | null
  ancestors: readonly string[]
  threadIds: readonly string[]
}): { inReplyTo: string | null; references: string[] } {
  const { messageId, source, ancestors, threadIds } = answered
  if (messageId === null) return { inReplyTo: null, references: trim(threadIds.filter(isSendable)) }
  const header = source ? readTopHeader(source, longestHeader) : new Map<string, string[]>()
  const chain = readReferences(header.get('references') ?? [])
  const parent = readInReplyTo(rawField(header, 'in-reply-to'))
  const named = chain.length > 0 ? chain : parent === null ? [] : [parent]
  // Ancestors known from the thread come before the ids that the message names, which are later.
  const earlier = ancestors.filter((id) => !named.includes(id))
  const before = [...earlier, ...named].filter((id) => id !== messageId)
  const ids = [...before, messageId].filter(isSendable)
  return { inReplyTo: isSendable(messageId) ? messageId : null, references: trim(ids) }
}

/** Shortens a very long chain to its first id and its last ones, which threading needs most. */
function trim(ids: readonly string[]): string[] {
  return ids.length <= longestChain ? [...ids] : [ids[0]!, ...ids.slice(1 - longestChain)]
}
