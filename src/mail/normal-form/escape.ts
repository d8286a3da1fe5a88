/** NUL and other control characters have no place in text, and parsers disagree about them. */
const unwanted = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const special = /[&<>\u0000-\u0008\u000b\u000e-\u001f\u007f]/

export function escapeText(text: string): string {
  if (!special.test(text)) return text.toWellFormed()
  return text
    .toWellFormed()
    .replaceAll(unwanted, '')
    .replaceAll(/[&<>]/g, (sign) => entities[sign]!)
}

export function escapeAttribute(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(unwanted, '')
    .replaceAll(/[&<>"'`]/g, (sign) => entities[sign]!)
}
