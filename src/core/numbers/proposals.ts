import type { Proposals } from '../../model/settings.ts'
import type { OutcomeCount } from '../../store/drafts/outcomes.ts'

export function sumProposals(counts: readonly OutcomeCount[]): Proposals {
  const sum = { proposed: 0, sentUnchanged: 0, sentEdited: 0, discarded: 0, withdrawn: 0, open: 0 }
  for (const { status, edited, count } of counts) {
    sum.proposed += count
    sum[nameOutcome(status, edited)] += count
  }
  return sum
}

function nameOutcome(status: string, edited: boolean): Exclude<keyof Proposals, 'proposed'> {
  if (status === 'sent') return edited ? 'sentEdited' : 'sentUnchanged'
  return status === 'discarded' || status === 'withdrawn' ? status : 'open'
}
