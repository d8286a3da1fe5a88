/**
 * What a webhook receives. Types and fields may be added within v1; ignore what you do not know.
 */
export interface WebhookActor {
  type: 'person' | 'agent' | 'system'
  /** A person's user id, an agent's token id; null for Spool itself. */
  id: string | null
  name: string
}

export interface Change<Value> {
  from: Value
  to: Value
}

interface Data {
  eventId: string
  /** Position in the event log: grows by one with every event of the instance, yours or not. */
  seq: number
  /** The previous event for this webhook, null for its first. If you have not seen it, you missed it. */
  previousSeq: number | null
  /** The inbox of the thread; null where there is no thread. */
  inboxId: string | null
  actor: WebhookActor
}

interface OfThread extends Data {
  threadId: string
}

interface Payload<Type extends string, Of extends Data> {
  type: Type
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string
  data: Of
}

type Status = 'open' | 'waiting' | 'snoozed' | 'closed' | 'spam'
type DraftKind = 'proposed' | 'revised' | 'stale' | 'discarded' | 'withdrawn'

/** A draft of a new conversation has no thread until it is sent. */
type OfDraft = Data & { threadId: string | null; draftId: string }

/** How much of the agent's text a person changed: 0 nothing, 1 everything; null if no agent wrote it. */
interface Outcome {
  editRatio: number | null
  recipientsChanged: boolean
}

export type WebhookPayload =
  | Payload<'thread.created', OfThread>
  | Payload<'thread.assigned', OfThread & { changes: { assignee: Change<string | null> } }>
  | Payload<'thread.unassigned', OfThread & { changes: { assignee: Change<string | null> } }>
  | Payload<'thread.status_changed', OfThread & { changes: { status: Change<Status> } }>
  | Payload<'thread.merged', OfThread & { changes: { threadId: Change<string> } }>
  | Payload<'message.received' | 'message.sent', OfThread & { messageId: string }>
  | Payload<'message.failed' | 'message.unknown', OfDraft>
  | Payload<'note.created' | 'note.updated', OfThread & { noteId: string }>
  | Payload<`draft.${DraftKind}`, OfDraft>
  | Payload<'draft.sent', OfDraft & { messageId: string; outcome: Outcome }>
  | Payload<
      'webhook.disabled',
      Data & {
        threadId: null
        webhookId: string
        changes: { state: Change<'enabled' | 'disabled'>; disabledReason: Change<string | null> }
      }
    >
  | Payload<'webhook.test', Data & { threadId: null; webhookId: string }>

export type WebhookKind = WebhookPayload['type']
