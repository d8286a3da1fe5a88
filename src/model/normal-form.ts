/** More combining marks than this on one letter are not real text. The limit of Unicode's stream-safe format. */
const crowded = /(\p{M}{30})\p{M}+/gu

/** Sorting combining marks takes quadratic time, so each letter keeps at most 30 of them. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(crowded, '$1').normalize(form)
}
