export const texts = {
  title: 'Go to or do…',
  field: 'Type an action, a place or a person',
  settings: (page: string) => `Settings: ${page}`,
  assigned: 'assigned threads',
  search: (words: string) => `Search mail for “${words}”`,
}
