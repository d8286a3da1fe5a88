import type { Numbers } from '../../../../src/model/settings.ts'
import { formatNumber, locale } from '../../page/locale.ts'
import { texts } from './texts.ts'

const t = texts.numbers
const dayName = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function nameOf(day: string): string {
  return dayName.format(new Date(`${day}T00:00:00Z`))
}

const width = 700
const height = 150

/**
 * Opened above the line, closed below it, per day. The drawing is hidden from screen readers; the sentence below it
 * and the table say the same.
 */
export function DayChart({ days }: { days: Numbers['days'] }) {
  const most = Math.max(1, ...days.map(({ opened, closed }) => Math.max(opened, closed)))
  const step = width / Math.max(days.length, 1)
  const bar = Math.max(1, Math.min(18, step * 0.7))
  const middle = height / 2
  const tall = (count: number): number => (count / most) * (middle - 4)
  const sum = (which: 'opened' | 'closed'): number => days.reduce((total, day) => total + day[which], 0)
  return (
    <figure class="chart">
      <div class="legend" aria-hidden="true">
        <span class="opened">{t.opened}</span>
        <span class="closed">{t.closed}</span>
        <span class="most">{t.most(most)}</span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
        {days.map(({ day, opened, closed }, index) => {
          const x = index * step + (step - bar) / 2
          return (
            <g key={day}>
              <title>{t.dayTitle(nameOf(day), opened, closed)}</title>
              <rect class="hit" x={index * step} y={0} width={step} height={height} />
              <rect class="opened" x={x} y={middle - tall(opened)} width={bar} height={tall(opened)} />
              <rect class="closed" x={x} y={middle + 1} width={bar} height={tall(closed)} />
            </g>
          )
        })}
        <line x1={0} x2={width} y1={middle + 0.5} y2={middle + 0.5} />
      </svg>
      <div class="axis" aria-hidden="true">
        <span>{nameOf(days[0]?.day ?? '1970-01-01')}</span>
        <span>{nameOf(days.at(-1)?.day ?? '1970-01-01')}</span>
      </div>
      <figcaption>{t.flowSaid(days.length, sum('opened'), sum('closed'))}</figcaption>
      <details>
        <summary>{t.asTable}</summary>
        <div class="scroll tall" tabIndex={0} role="region" aria-label={t.flow}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.day}</th>
                <th scope="col" class="figure">
                  {t.opened}
                </th>
                <th scope="col" class="figure">
                  {t.closed}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ day, opened, closed }) => (
                <tr key={day}>
                  <th scope="row">{nameOf(day)}</th>
                  <td class="figure">{formatNumber(opened)}</td>
                  <td class="figure">{formatNumber(closed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** A table with a bar next to each figure. */
export function Bars({
  caption,
  what,
  rows,
  agent = false,
}: {
  caption: string
  what: string
  rows: readonly { name: string; count: number }[]
  agent?: boolean
}) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table class={agent ? 'bars agent' : 'bars'}>
      <caption class="hidden">{caption}</caption>
      <thead class="hidden">
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">{t.count}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(count / most) * 100} height={10} rx={1} />
              </svg>
              <span>{formatNumber(count)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
