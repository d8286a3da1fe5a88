const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * In transit, every line of mail ends with CR LF. Where servers disagreed on other line ends, attackers made one server
 * see one message and the next see two (SMTP smuggling), so anything else is rejected, not repaired.
 */
export function hasBareLineEnd(message: Buffer): boolean {
  for (let at = message.indexOf(lineFeed); at !== -1; at = message.indexOf(lineFeed, at + 1))
    if (message[at - 1] !== carriageReturn) return true
  for (let at = message.indexOf(carriageReturn); at !== -1; at = message.indexOf(carriageReturn, at + 1))
    if (message[at + 1] !== lineFeed) return true
  return false
}
