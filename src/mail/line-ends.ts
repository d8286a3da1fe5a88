const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * A line of mail on its way ends with CR LF. Servers that disagree on what else ends a line have been made to see one
 * message where the next saw two (SMTP smuggling), so anything else is refused rather than mended.
 */
export function hasBareLineEnd(message: Buffer): boolean {
  for (let at = message.indexOf(lineFeed); at !== -1; at = message.indexOf(lineFeed, at + 1))
    if (message[at - 1] !== carriageReturn) return true
  for (let at = message.indexOf(carriageReturn); at !== -1; at = message.indexOf(carriageReturn, at + 1))
    if (message[at + 1] !== lineFeed) return true
  return false
}
