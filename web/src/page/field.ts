export type TextField = HTMLInputElement | HTMLTextAreaElement

/** Whether an element takes keyboard input. */
export function isField(target: Element): boolean {
  return target.matches?.('input:not([type=checkbox]), textarea, select, [contenteditable]') ?? false
}

/** Types a key into a field, which browsers do only for real key presses. */
export function typeInto(field: TextField, key: string): void {
  if (field.readOnly || field.disabled) return
  if (key === 'Enter' && field instanceof HTMLInputElement) return field.form?.requestSubmit()
  const end = field.selectionEnd ?? field.value.length
  const start = field.selectionStart ?? end
  if (key === 'Backspace') replace(field, '', start === end ? Math.max(0, start - 1) : start, end)
  else if (key === 'Enter') replace(field, '\n', start, end)
  else if (key.length === 1) replace(field, key, start, end)
}

function replace(field: TextField, text: string, start: number, end: number): void {
  field.setRangeText(text, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text }))
}
