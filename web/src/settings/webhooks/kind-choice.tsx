import type { EventType } from '../../../../src/model/events.ts'
import type { Bound } from '../../controls/form.tsx'
import { useAnswer } from '../parts/answer.ts'
import { Checks, optionsOf, Select } from '../parts/choice.tsx'
import { texts } from '../parts/texts.ts'

const t = texts.webhooks

/** All event kinds including future ones (null), or some. */
export function KindChoice({ value: chosen, onValue }: Bound<EventType[] | null>) {
  const known = useAnswer('/webhook-kinds').value
  return (
    <>
      <Select
        label={t.kinds}
        options={optionsOf(['all', 'some'], t.kindChoice)}
        value={chosen === null ? 'all' : 'some'}
        onValue={(which) => onValue(which === 'all' ? null : ['message.received'])}
      />
      {chosen !== null && (
        <Checks
          legend={t.kindsLegend}
          options={(known?.data ?? []).map(({ kind, meaning }) => ({
            value: kind,
            label: kind,
            hint: meaning,
          }))}
          value={chosen}
          onValue={onValue}
        />
      )}
    </>
  )
}
