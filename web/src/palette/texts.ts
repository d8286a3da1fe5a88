export const texts = {
  title: 'Command palette',
  field: 'Type a command, page or person',
  settings: (page: string) => `Settings: ${page}`,
  assigned: 'assigned threads',
  search: (words: string) => `Search mail for “${words}”`,
}
