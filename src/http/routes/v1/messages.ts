import { getMessage, openSource } from '../../../core/threads/messages.ts'
import { Message } from '../../../model/history.ts'
import { defineRoute, json } from '../../route.ts'
import { contentDisposition } from './attachments.ts'

export const messageGet = defineRoute({
  path: '/messages/{id}',
  scope: 'threads:read',
  operationId: 'getMessage',
  tag: 'Threads',
  summary: 'Get a message',
  description: "One message as in its thread's `history`, with its `threadId`.",
  parameters: { id: "The message's id." },
  answer: Message,
  taggedBy: 'content',
  async handle({ spool, caller, path }) {
    const answer = json(await getMessage(spool, caller, path['id']!))
    return { ...answer, reads: { threads: 0, messages: 1, notes: 0 } }
  },
})

export const sourceGet = defineRoute({
  path: '/messages/{id}/source',
  scope: 'sources:read',
  operationId: 'getMessageSource',
  tag: 'Threads',
  summary: "Download a message's source",
  description:
    'The bytes as they arrived, always as a download. They hold all that a mail hides from people, so do not hand them to an agent. Takes `Range`.',
  parameters: { id: "The message's id." },
  answer: null,
  contentType: 'message/rfc822',
  taggedBy: null,
  async handle({ spool, caller, path }) {
    const id = path['id']!
    const { subject, size, content } = await openSource(spool, caller, id)
    return {
      // The bytes behind an id never change.
      body: { length: size, etag: `"${id}-${size}"`, pieces: content },
      contentType: 'message/rfc822',
      headers: { 'Content-Disposition': contentDisposition(nameOf(subject)) },
      reads: { threads: 0, messages: 1, notes: 0 },
    }
  },
})

/** A file name that every system accepts. */
export function nameOf(subject: string): string {
  return `${subject.replace(/[\\/:]/g, ' ').slice(0, 100) || 'mail'}.eml`
}
