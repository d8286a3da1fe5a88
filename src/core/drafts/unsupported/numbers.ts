/** Every repetition is bounded: mail is hostile, and matching must stay linear in its length. */
const digits = String.raw`\d{1,30}(?:[.,'’\u00a0\u202f ]\d{3}){0,5}(?:[.,]\d{1,10})?(?!\d)`
const currency = String.raw`[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|JPY|CNY|INR|AUD|CAD|NZD|BRL|TRY|Euros?|dollars?|pounds?|francs?)\b`

/** `€ 49.90`, `49,90 EUR`; `1 299 kr` is a number. */
export const amountForm = new RegExp(
  String.raw`(?:${currency})\s?-?${digits}|(?<![\d\p{L}.,])-?${digits}\s?(?:${currency})`,
  'giu',
)

/** Phone numbers, times, codes of letters and digits, plain numbers. */
export const numberForm = new RegExp(
  [
    String.raw`(?<![\d\p{L}])\+?\d[\d ()/.-]{5,25}\d(?![\d\p{L}])`,
    String.raw`(?<!\d)\d{1,2}:\d{2}(?!\d)`,
    // A letter next to a digit, or a code in parts of which one has a digit.
    String.raw`(?<![\p{L}\d])(?=[\p{L}_/-]{0,30}\d)(?=[\d_/-]{0,30}\p{L})[\p{L}\d]{1,30}(?:[-/_][\p{L}\d]{1,30}){0,5}`,
    digits,
  ].join('|'),
  'giu',
)

const digitsForm = new RegExp(digits, 'u')
const currencyForm = new RegExp(currency, 'iu')
const currencyNames: Record<string, string> = {
  '€': 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  $: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '£': 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  franc: 'CHF',
  francs: 'CHF',
}

/** An amount in the thread supports itself and its bare number. */
export function statedAmountKeys(text: string): string[] {
  return readings(numberOf(text)).flatMap((value) => [
    `amount ${currencyOf(text)} ${value}`,
    `value ${value}`,
  ])
}

/** An amount in the draft is supported by the same amount, or by its number if the thread has no currency. */
export function askedAmountKeys(text: string): string[] {
  return readings(numberOf(text)).flatMap((value) => [
    `amount ${currencyOf(text)} ${value}`,
    `number ${value}`,
  ])
}

function currencyOf(amount: string): string {
  const unit = currencyForm.exec(amount)![0]
  return currencyNames[unit.toLowerCase()] ?? unit.toUpperCase()
}

function numberOf(amount: string): string {
  return digitsForm.exec(amount)![0]
}

/** A number in the draft is supported by the same number or by an amount of it. */
export function askedNumberKeys(text: string): string[] {
  return statedNumberKeys(text).flatMap((key) => [key, key.replace(/^number /, 'value ')])
}

export function statedNumberKeys(text: string): string[] {
  const bare = text.toLowerCase()
  if (/\p{L}/u.test(bare)) {
    // "5kg", "3rd" and "10am" are numbers with a unit; "RX4711" is a code and must match as a whole.
    const unit = /^(\d+)\p{L}{1,3}$/u.exec(bare)
    return [`code ${bare}`, ...(unit ? [`number ${unit[1]}`] : [])]
  }
  if (bare.includes(':')) return [`time ${bare.padStart(5, '0')}`]
  const figures = bare.replace(/\D/g, '')
  // Long numbers are grouped in many ways.
  if (figures.length >= 7)
    return [...new Set([`number ${figures}`, ...readings(bare).map((value) => `number ${value}`)])]
  return readings(bare).map((value) => `number ${value}`)
}

/** The possible values: `1.234` is a thousand in some countries and a little more than one in others. */
function readings(text: string): string[] {
  const plain = text.replace(/['’\u00a0\u202f ]/g, '')
  const marks = [...plain.matchAll(/[.,]/g)]
  if (marks.length === 0) return [plain]
  const last = marks.at(-1)!
  const whole = plain.slice(0, last.index).replace(/[.,]/g, '')
  const part = plain.slice(last.index + 1)
  const decimal = part.replace(/0+$/, '') === '' ? whole : `${whole}.${part.replace(/0+$/, '')}`
  const grouped = whole + part
  if (marks.length > 1 && marks.every(([mark]) => mark === last[0])) return [grouped]
  return part.length === 3 && marks.length === 1 ? [grouped, decimal] : [decimal]
}
