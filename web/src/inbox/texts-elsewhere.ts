export const texts = {
  alsoHere: 'Also here:',
  count: (count: string, status: string) => `${count} ${status}`,
}
