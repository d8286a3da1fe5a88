/** The reader's locale for numbers, dates and times. The words around them are in the language of the texts. */
export const locale = navigator.language

const numbers = new Intl.NumberFormat(locale)

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** "12 kB", "5 min", "350 ms"; `unit` is an Intl unit. */
export function formatUnit(value: number, unit: string, digits = 0): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, options).format(value)
}
