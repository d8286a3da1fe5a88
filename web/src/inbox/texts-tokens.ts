export const texts = {
  said: (name: string, when: string) => `Your token “${name}” expires soon (${when}).`,
  look: 'Create a new one',
  later: 'Not now',
}
