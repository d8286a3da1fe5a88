export const texts = {
  closeNext: 'Close and go to next',
  open: 'Also open',
  earlier: 'Earlier',
  noOthers: 'No other threads from this person.',
  all: 'All mail with this person',
}
