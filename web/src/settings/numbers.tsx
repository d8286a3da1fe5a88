import { useSignal } from '@preact/signals'
import type { Numbers } from '../../../src/model/settings.ts'
import { bind } from '../controls/form.tsx'
import { formatNumber } from '../page/locale.ts'
import { session } from '../session/session.ts'
import { useAnswer } from './parts/answer.ts'
import { Bars, DayChart } from './parts/chart.tsx'
import { inboxOptions, optionsOf, Select } from './parts/choice.tsx'
import { Card, Loaded, Nothing, Page } from './parts/page.tsx'
import { texts } from './parts/texts.ts'

const t = texts.numbers
const periods = ['7', '30', '90', '365'] as const
const outcomes = ['sentUnchanged', 'sentEdited', 'discarded', 'withdrawn', 'open'] as const
type Period = (typeof periods)[number]

export function NumbersPage() {
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
    <Page title={texts.pages.numbers} lead={t.lead} wide>
      <div class="pair narrow">
        <Select label={t.period} options={optionsOf(periods, texts.days)} {...bind(period)} />
        {inboxes.length > 1 && (
          <Select
            label={t.inbox}
            options={inboxOptions(inboxes, { value: 'all', label: texts.inboxes.all })}
            {...bind(inbox)}
          />
        )}
      </div>
      <Loaded answer={numbers}>{(now) => <Charts numbers={now} />}</Loaded>
    </Page>
  )
}

function Charts({ numbers }: { numbers: Numbers }) {
  const { days, firstReply, openPerPerson, proposals: p } = numbers
  return (
    <>
      <Card title={t.flow}>
        <DayChart days={days} />
      </Card>
      <Card title={t.reply}>
        {firstReply.count === 0 || firstReply.medianSeconds === null ? (
          <Nothing>{t.noReplies}</Nothing>
        ) : (
          <dl class="figures">
            <Figure name={t.median} said={t.duration(firstReply.medianSeconds)} />
            <Figure name={t.ninety} said={t.duration(firstReply.p90Seconds ?? firstReply.medianSeconds)} />
            <Figure name={t.answered} said={formatNumber(firstReply.count)} />
          </dl>
        )}
      </Card>
      <Card title={t.open} hint={t.openHint}>
        {openPerPerson.every(({ open }) => open === 0) ? (
          <Nothing>{t.nothingOpen}</Nothing>
        ) : (
          <Bars
            caption={t.open}
            what={t.person}
            rows={openPerPerson.map(({ person, open }) => ({
              name: person?.name ?? t.nobody,
              count: open,
            }))}
          />
        )}
      </Card>
      <Card title={t.proposals} hint={t.proposalsHint}>
        {p.proposed === 0 ? (
          <Nothing>{t.noProposals}</Nothing>
        ) : (
          <Bars
            caption={t.proposals}
            what={t.outcome}
            agent
            rows={outcomes.map((each) => ({ name: t.outcomes[each], count: p[each] }))}
          />
        )}
      </Card>
    </>
  )
}

function Figure({ name, said }: { name: string; said: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{said}</dd>
    </div>
  )
}

/** A day in the local calendar. */
function dayBefore(days: number): string {
  const at = new Date()
  at.setDate(at.getDate() - days)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}
