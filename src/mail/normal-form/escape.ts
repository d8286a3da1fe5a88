const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** NUL and other control characters have no place in text, and parsers disagree about them. */
const inText = /[&<>\u0000-\u0008\u000b\u000e-\u001f\u007f]/g
const inAttribute = new RegExp(`["'\`]|${inText.source}`, 'g')

export function escapeText(text: string): string {
  return text.toWellFormed().replaceAll(inText, (sign) => entities[sign] ?? '')
}

export function escapeAttribute(value: string): string {
  return value.toWellFormed().replaceAll(inAttribute, (sign) => entities[sign] ?? '')
}
