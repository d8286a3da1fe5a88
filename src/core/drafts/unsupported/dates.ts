/** Month numbers by the first letters of their names in English, German, French, Spanish, Italian and Dutch. */
const months = new Map(
  [
    'jan jän ene gen',
    'feb fév fev',
    'mar mär mrz maa',
    'apr avr abr',
    'may mai mag mei',
    'jun juin giu',
    'jul juil lug',
    'aug aoû ago',
    'sep set',
    'oct okt ott',
    'nov',
    'dec dez déc dic',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

const names = String.raw`(?:jan(?:uary|uar|vier)?|jän(?:ner)?|enero|ene|gennaio|feb(?:ruary|ruar|rero|braio|ruari)?|fév(?:rier)?|mar(?:ch|s|zo)?|märz|mrz|maart|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|maggio|mei|june?|juni|juin|junio|giugno|july?|juli|juillet|julio|luglio|aug(?:ust|ustus)?|août|agosto|ago|sept?(?:ember|embre|iembre)?|settembre|oct(?:ober|obre|ubre)?|okt(?:ober)?|ottobre|nov(?:ember|embre|iembre)?|dec(?:ember)?|dez(?:ember)?|déc(?:embre)?|dic(?:iembre|embre)?)\b(?:\.(?=,?\s?\d))?`
const day = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const year = String.raw`(?:19|20)\d\d`

const space = String.raw`\s{1,3}`

/** Every repetition is bounded: mail is hostile, and matching must stay linear in its length. */
export const dateForm = new RegExp(
  [
    String.raw`(?<!\d)${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)`,
    String.raw`(?<![\d.])${day}\.\s?(?:0?[1-9]|1[0-2])\.(?:\s?(?:${year}|\d\d)(?!\d))?`,
    String.raw`(?<![\d/])${day}/${day}/(?:${year}|\d\d)(?!\d)`,
    String.raw`(?<!\d)${day}(?:\.|st|nd|rd|th)?${space}(?:(?:of|de)${space})?${names}(?:,?${space}(?:de${space})?${year}(?![\d-]))?`,
    String.raw`\b${names}${space}${day}(?:st|nd|rd|th)?(?!\d)(?:,?${space}${year}(?![\d-]))?`,
  ].join('|'),
  'giu',
)

/** Keys that a date in the thread provides. */
export function statedDateKeys(text: string): string[] {
  return daysOf(text.toLowerCase()).flatMap(({ year, month, day }) => [
    `day ${month}-${day}`,
    year === null ? `yearless ${month}-${day}` : `date ${year}-${month}-${day}`,
  ])
}

/** Keys that would support a date in the draft: the same day; if either has no year, that day of any year. */
export function askedDateKeys(text: string): string[] {
  return daysOf(text.toLowerCase()).flatMap(({ year, month, day }) =>
    year === null ? [`day ${month}-${day}`] : [`date ${year}-${month}-${day}`, `yearless ${month}-${day}`],
  )
}

interface Day {
  year: number | null
  month: number
  day: number
}

function daysOf(text: string): Day[] {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (iso) return [{ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }]
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{2,4})?$/.exec(text)
  if (dotted) return [{ year: fullYear(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) }]
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{2,4})$/.exec(text)
  if (slashed) {
    const [one, other, year] = [Number(slashed[1]), Number(slashed[2]), fullYear(slashed[3])]
    const days = [
      { year, month: one, day: other },
      { year, month: other, day: one },
    ]
    return days.filter(({ month }) => month <= 12)
  }
  const name = /\p{L}{3,}/gu
  const month = [...text.matchAll(name)].map(
    ([word]) => months.get(word.slice(0, 4)) ?? months.get(word.slice(0, 3)),
  )
  const found = month.find((number) => number !== undefined)
  const withYear = /(?:19|20)\d\d/.exec(text)?.[0]
  const number = /\d{1,2}/.exec(withYear === undefined ? text : text.replace(withYear, ''))?.[0]
  return found === undefined || number === undefined
    ? []
    : [{ year: fullYear(withYear), month: found, day: Number(number) }]
}

function fullYear(text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  return text.length === 2 ? 2000 + number : number
}
