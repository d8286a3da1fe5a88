export const texts = {
  said: (name: string, when: string) => `The token “${name}” expires ${when}.`,
  look: 'Create a new one',
  later: 'Not now',
}
