/** Addresses that no webhook may reach: of every refused network the first, the last, and the well-known ones. */
const ipv4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
]

const ipv6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0.0.0.1',
  'fe80::1',
  'FE80::1',
  'febf:ffff::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'ff02::1',
  'ff0e::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  '5f00::1',
  '64:ff9b:1::1',
  '4000::1',
]

/** Every way in which an address can be written, or stand inside another. */
function formsOf(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = number.toString(16).padStart(8, '0')
  const halves = `${hex.slice(0, 4)}:${hex.slice(4)}`
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `0x${a.toString(16)}.${b}.0${((c << 8) | d).toString(8)}`,
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '\u3002'),
    address.replace(/\d/, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::ffff:${halves}]`,
    `[0:0:0:0:0:ffff:${halves}]`,
    `[::${address}]`,
    `[::${halves}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${halves}::1]`,
    `[2600:1f00::5efe:${address}]`,
    `[2600:1f00::200:5efe:${halves}]`,
  ]
}

export const literalHosts = [...ipv4.flatMap(formsOf), ...ipv6.map((address) => `[${address}]`)]

export const localNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'a.b.localhost.',
  'l\u24decalhost',
]

/** Names with what a name server says they mean. */
export const badNames = new Map<string, string[]>([
  ...ipv4.map((address, index) => [`four${index}.example.test`, [address]] as [string, string[]]),
  ...ipv6
    .filter((address) => !address.includes('.'))
    .map((address, index) => [`six${index}.example.test`, [address]] as [string, string[]]),
  ['mapped.example.test', ['::ffff:10.0.0.1']],
  ['both.example.test', ['93.184.215.14', '10.0.0.1']],
  ['both-reversed.example.test', ['127.0.0.1', '93.184.215.14']],
  ['both-families.example.test', ['93.184.215.14', '::1']],
])

/** Means a public address when it is looked up first, and this machine ever after. */
export const changing = 'changes.example.test'
export const publicAddress = '93.184.215.14'

/** Where each address as a whole is the matter. */
export const badUrls = [
  'http://93.184.215.14/',
  'ftp://93.184.215.14/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'https://user@93.184.215.14/',
  'https://user:secret@93.184.215.14/',
  'https://:secret@93.184.215.14/',
  'https://[fe80::1%25eth0]/',
  'https://',
  'https:///',
  'not an address',
  '//127.0.0.1/',
  '',
]
