import type { HistoryEntry, MessageEntry } from '../../../src/model/history.ts'
import { fullTime, messageTime } from '../page/times.ts'
import { texts } from '../page/texts.ts'
import { actionTexts } from '../threads/texts.ts'

type Entry = Exclude<HistoryEntry, MessageEntry>

/** A small grey line between the messages. */
export function HistoryLine({ entry }: { entry: Entry }) {
  return (
    <div class="ev">
      <span>
        {sentenceOf(entry)} ·{' '}
        <time dateTime={entry.timestamp} title={fullTime(entry.timestamp)}>
          {messageTime(entry.timestamp)}
        </time>
      </span>
    </div>
  )
}

function sentenceOf(entry: Entry): string {
  const h = texts.history
  const u = actionTexts.history
  switch (entry.type) {
    case 'status_changed':
      return entry.undo
        ? u.status(texts.statuses[entry.to], entry.actor.name)
        : h.status[entry.to](entry.actor.name)
    case 'assigned':
      if (entry.undo) return u.assigned(entry.to.name, entry.actor.name)
      return entry.to.id === entry.actor.id
        ? h.took(entry.to.name)
        : h.assigned(entry.to.name, entry.actor.name)
    case 'unassigned':
      return (entry.undo ? u : h).unassigned(entry.actor.name)
    case 'merged':
      return h.merged(entry.actor.name)
    case 'bounced':
      return h.bounced(entry.reason)
    case 'draft_proposed':
      return entry.actor.type === 'agent' ? h.proposed(entry.actor.name) : h.began(entry.actor.name)
    case 'draft_discarded':
      return h.discarded(entry.actor.name, entry.reason)
    case 'draft_withdrawn':
      return h.withdrawn(entry.actor.name)
    case 'draft_sent':
      return h.sent(entry.actor.name, entry.proposedBy.type === 'agent' ? entry.proposedBy.name : null)
    default:
      return h.other
  }
}
