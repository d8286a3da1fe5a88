const longest = 200
/** No more than this is read, even if most of it is white space. */
const looked = 2000

/** The beginning of a text on one line, cut between characters. */
export function makePreview(text: string): string {
  const start = text
    .slice(0, looked)
    .replace(/[^\S ]\s*| \s+/g, ' ')
    .trim()
  if (start.length <= longest) return start
  return `${start
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
