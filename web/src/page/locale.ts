/** The reader's locale for numbers, dates and times. The words around them are in the language of the texts. */
export const locale = usable(navigator.language)

const numbers = new Intl.NumberFormat(locale)

/** Intl throws for what some systems without a language say: `C`, `en-US@posix`. */
function usable(language: string): string {
  try {
    return String(new Intl.Locale(language))
  } catch {
    return 'en'
  }
}

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** "12 kB", "5 min", "350 ms"; `unit` is an Intl unit. */
export function formatUnit(value: number, unit: string, digits = 0): string {
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(locale, options).format(value)
}
