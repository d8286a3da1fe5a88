/** Of the marks on one letter; what stands above that is no writing. The bound of Unicode's stream-safe text. */
const crowded = /(\p{M}{30})\p{M}+/gu

/** In a normal form of Unicode. To put marks into order takes the square of their number, so a letter keeps 30 of them. */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(crowded, '$1').normalize(form)
}
