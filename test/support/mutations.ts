/** A random number generator that gives the same numbers for the same seed (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Byte sequences that often break parsers. */
const stumbling = [
  '\r\n\r\n',
  '\n\n',
  '\r',
  '\0',
  '--',
  '=?utf-8?Q?',
  '?=',
  '=',
  '"',
  '(',
  '<',
  '\x1b$B',
  '\xff\xfe',
  '\xed\xa0\x80',
  'Content-Type: multipart/mixed; boundary="',
  'Content-Type: message/rfc822\n\n',
  'Content-Transfer-Encoding: base64\n',
  'Content-Transfer-Encoding: quoted-printable\n',
  'begin 644 x\n',
  '>From ',
  ': ',
  ';',
].map((piece) => Buffer.from(piece, 'latin1'))

/** A damaged message: truncated, spliced with another, bits flipped, pieces inserted, repeated or removed. */
export function mutate(seeds: Buffer[], random: (below: number) => number): Buffer {
  const pick = () => seeds[random(seeds.length)]!
  let message = Buffer.from(pick())
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(message.length + 1)
    const length = random(Math.min(message.length, 400) + 1)
    switch (random(6)) {
      case 0:
        message = message.subarray(0, at)
        break
      case 1: {
        const other = pick()
        message = Buffer.concat([message.subarray(0, at), other.subarray(random(other.length + 1))])
        break
      }
      case 2:
        for (let i = 0; i < 1 + length / 20 && message.length > 0; i++)
          message[random(message.length)]! ^= 1 << random(8)
        break
      case 3:
        message = Buffer.concat([
          message.subarray(0, at),
          stumbling[random(stumbling.length)]!,
          message.subarray(at),
        ])
        break
      case 4:
        message = Buffer.concat([
          message.subarray(0, at),
          message.subarray(at, at + length),
          message.subarray(at),
        ])
        break
      default:
        message = Buffer.concat([message.subarray(0, at), message.subarray(at + length)])
    }
  }
  return message
}
