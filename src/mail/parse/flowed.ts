/** RFC 3676: a line that ends in a space continues on the next line, if that has the same quote depth. */
export function unwrapFlowed(text: string, deleteSpace: boolean): string {
  const result: string[] = []
  let depth = -1
  let paragraph: string[] = []
  let open = false
  const finish = () => {
    if (depth === -1) return
    const prefix = depth === 0 ? '' : `${'>'.repeat(depth)} `
    result.push(prefix + paragraph.join(''))
    paragraph = []
  }
  for (const line of text.split(/\r?\n/)) {
    const quotes = /^>*/.exec(line)![0].length
    const stuffed = line.slice(quotes)
    const content = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed
    // The two dashes above a signature are never part of a paragraph.
    const isSeparator = content === '-- '
    if (!open || quotes !== depth || isSeparator) finish()
    depth = quotes
    open = content.endsWith(' ') && !isSeparator
    paragraph.push(open && deleteSpace ? content.slice(0, -1) : content)
  }
  finish()
  return result.join('\n')
}
