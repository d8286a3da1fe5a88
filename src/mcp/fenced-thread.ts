import { z } from 'zod'
import { summaryFields, type MailAddress, type ThreadSummary } from '../model/thread.ts'
import { untrusted, type Fence } from './fence.ts'

export const FencedAddress = z.object({
  name: untrusted('a display name; anyone can write any name.').nullable(),
  address: untrusted('a mail address.'),
})

/** Characters of a single line, such as a subject or a name, without `full`. */
export const lineBudget = 500

export function fenceAddress({ name, address }: MailAddress, fence: Fence, most = lineBudget): MailAddress {
  return { name: name === null ? null : fence.wrapPart(name, most), address: fence.wrapPart(address, most) }
}

/** In every result that contains fences. */
export const fenceField = z.string().meta({
  description: "This answer's nonce: <untrusted NONCE> … </untrusted NONCE> holds what others wrote.",
})

/** Only fields in the schema: a new field of a thread is passed on once it is added there. */
export function fenceSummary(thread: ThreadSummary, fence: Fence, most = lineBudget): ThreadSummary {
  const listed = Object.entries(thread).filter(([name]) => Object.hasOwn(summaryFields, name))
  return {
    ...(Object.fromEntries(listed) as ThreadSummary),
    subject: fence.wrapPart(thread.subject, most),
    sender: fenceAddress(thread.sender, fence, most),
    preview: fence.wrap(thread.preview),
  }
}
