const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * In transit, every line of mail ends with CR LF. Where servers disagreed on other line ends, attackers made one server
 * see one message and the next see two (SMTP smuggling), so anything else is rejected, not repaired.
 */
export function hasBareLineEnd(message: Buffer): boolean {
  // Not with `indexOf`: in a mail of empty lines, its calls would take seconds.
  let isReturned = false
  for (let at = 0; at < message.length; at++) {
    const byte = message[at]
    if (isReturned !== (byte === lineFeed)) return true
    isReturned = byte === carriageReturn
  }
  return isReturned
}
