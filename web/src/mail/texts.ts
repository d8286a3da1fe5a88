export const texts = {
  about: (name: string) => `About ${name}`,
}
