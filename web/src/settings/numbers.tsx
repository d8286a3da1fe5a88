import { useSignal } from '@preact/signals'
import type { Numbers } from '../../../src/model/settings.ts'
import type { JSX } from 'preact'
import { session } from '../session/session.ts'
import { useAnswer } from './parts/answer.ts'
import { Bars, DayChart } from './parts/chart.tsx'
import { Select } from './parts/choice.tsx'
import { Card, Loaded, Nothing, Page } from './parts/page.tsx'
import { words } from './parts/words.ts'

const w = words.numbers
const periods = ['7', '30', '90', '365'] as const
type Period = (typeof periods)[number]

export function NumbersPage(): JSX.Element {
  const period = useSignal<Period>('30')
  const inbox = useSignal('all')
  const inboxes = session.value?.inboxes ?? []
  const numbers = useAnswer('/numbers', undefined, {
    query: {
      from: dayBefore(Number(period.value) - 1),
      to: dayBefore(0),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      inbox: inbox.value === 'all' ? null : inbox.value,
    },
  })
  return (
    <Page title={words.pages.numbers} lead={w.lead} wide>
      <div class="pair narrow">
        <Select
          label={w.period}
          options={periods.map((value) => ({ value, label: w.periods[value] }))}
          value={period.value}
          onValue={(now: Period) => (period.value = now)}
        />
        {inboxes.length > 1 && (
          <Select
            label={w.inbox}
            options={[
              { value: 'all', label: words.inboxes.all },
              ...inboxes.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={inbox.value}
            onValue={(now) => (inbox.value = now)}
          />
        )}
      </div>
      <Loaded answer={numbers}>{(now) => <Charts numbers={now} />}</Loaded>
    </Page>
  )
}

function Charts({ numbers }: { numbers: Numbers }): JSX.Element {
  const { days, firstReply, openPerPerson, proposals: p } = numbers
  return (
    <>
      <Card title={w.flow}>
        <DayChart days={days} />
      </Card>
      <Card title={w.reply}>
        {firstReply.count === 0 || firstReply.medianSeconds === null ? (
          <Nothing>{w.noReplies}</Nothing>
        ) : (
          <dl class="figures">
            <div>
              <dt>{w.median}</dt>
              <dd>{w.duration(firstReply.medianSeconds)}</dd>
            </div>
            <div>
              <dt>{w.ninety}</dt>
              <dd>{w.duration(firstReply.p90Seconds ?? firstReply.medianSeconds)}</dd>
            </div>
            <div>
              <dt>{w.answered}</dt>
              <dd>{firstReply.count.toLocaleString(words.language)}</dd>
            </div>
          </dl>
        )}
      </Card>
      <Card title={w.open} hint={w.openHint}>
        {openPerPerson.length === 0 ? (
          <Nothing>{w.nothingOpen}</Nothing>
        ) : (
          <Bars
            caption={w.open}
            what={w.person}
            rows={openPerPerson.map(({ person, open }) => ({
              name: person?.name ?? w.nobody,
              count: open,
            }))}
          />
        )}
      </Card>
      <Card title={w.proposals} hint={w.proposalsHint}>
        {p.proposed === 0 ? (
          <Nothing>{w.noProposals}</Nothing>
        ) : (
          <Bars
            caption={w.proposals}
            what={w.outcome}
            agent
            rows={(['sentUnchanged', 'sentEdited', 'discarded', 'withdrawn', 'open'] as const).map(
              (each) => ({
                name: w.outcomes[each],
                count: p[each],
              }),
            )}
          />
        )}
      </Card>
    </>
  )
}

/** A day of this place's calendar. */
function dayBefore(days: number): string {
  const at = new Date()
  at.setDate(at.getDate() - days)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
