import * as fc from 'fast-check'

type Schema = Record<string, unknown>

/** A value that the document allows, boundaries before all. */
export function goodValue(name: string, schema: Schema, cursors: string[]): fc.Arbitrary<string> {
  // A wait would only make the run longer.
  if (name === 'wait') return fc.constant('0')
  if (/cursor/i.test(name)) return fc.constantFrom(...cursors)
  if (schema['type'] === 'array')
    return fc
      .array(goodValue(name, schema['items'] as Schema, cursors), { minLength: 1, maxLength: 3 })
      .map((list) => list.join(','))
  if (Array.isArray(schema['anyOf'])) return fc.constantFrom('true', 'false', '0', '1')
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as string[]))
  if (schema['type'] === 'integer') {
    const { minimum, maximum } = schema as { minimum: number; maximum: number }
    return fc
      .oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: Math.min(maximum, 1e9) }))
      .map(String)
  }
  if (schema['format'] === 'date-time') {
    const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    return fc.oneof(
      dates.map((date) => date.toISOString()),
      fc.constantFrom('2026-02-28T23:59:59+14:00', '2024-02-29t00:00:00z'),
    )
  }
  const pattern = new RegExp(schema['pattern'] as string)
  if (name === 'q')
    return fc
      .oneof(fc.string({ unit: 'binary', maxLength: 40 }), words)
      .filter((text) => pattern.test(text) && !text.includes('\0') && text.isWellFormed())
  return fc.stringMatching(pattern, { maxLength: 60 })
}

const words = fc
  .array(fc.constantFrom('order', 'NEAR', 'OR', '"', '*', '(', ':', '&', '<->', '!', '🙂', 'Größe', '-x'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) => list.join(' '))

/** Values the document forbids. */
export function badValues(schema: Schema): string[] {
  const always = ['', ' ', '\u0000', 'a\u0000b', 'x'.repeat(2000)]
  if (Array.isArray(schema['anyOf'])) return [...always, 'TRUE', 'yes', '2', 'null']
  if (schema['type'] === 'array')
    return [...badValues(schema['items'] as Schema), ...always, ',', 'open,,closed']
  if (schema['type'] === 'integer') {
    const { minimum, maximum } = schema as { minimum: number; maximum: number }
    return [
      ...always,
      String(minimum - 1),
      String(maximum + 1),
      '1.5',
      '1e1',
      '0x1',
      '٣',
      ' 1',
      '1 ',
      'NaN',
      '-0',
      '+1',
    ]
  }
  if (Array.isArray(schema['enum'])) return [...always, 'TRUE', 'yes', '2', 'null', 'toString', '__proto__']
  if (schema['format'] === 'date-time') {
    return [
      ...always,
      'yesterday',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-13-01T00:00:00Z',
      '99999-01-01T00:00:00Z',
    ]
  }
  const { pattern } = schema as { pattern?: string }
  // Blanks alone are no words either.
  if (pattern === '\\S') return always
  return pattern === undefined
    ? always
    : [...always, '%', 'open;closed', 'open,,closed', 'me,none', "' OR 1=1 --", '@']
}

/** Not to be encoded: what is sent as it stands here and is no UTF-8 text. */
export const rawValues = ['%', '%0', '%zz', '%ff', '%c3', '%e0%a4', '%ed%a0%80', '%00', '%f8%88%80%80%80']

/** In place of an id. */
export const oddIds = [
  'thr_',
  'THR_1',
  'thr_00000000000000000000',
  'msg_00000000000000000000',
  'null',
  'undefined',
  '0',
  '-1',
  '.',
  '..',
  '...',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  '%2F',
  '%c0%af',
  'a%20b',
  '*',
  "'",
  '"',
  '`',
  '|',
  '\\',
  '{id}',
  ':id',
  '$id',
  'a;b=c',
  'a,b',
  'a@b',
  'x'.repeat(3000),
  '__proto__',
  'constructor',
  'thr_%F0%9F%99%82',
  '🙂'.normalize(),
  '1%27%20OR%201=1--',
].map((id) => encodeURI(id).replaceAll('%25', '%'))

interface HeaderLines {
  lines: string
  body: string
}

const plain = (lines: string): HeaderLines => ({ lines, body: '' })

/** Lines that a client may well send, and some that none should. */
export const headerLines: fc.Arbitrary<HeaderLines> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(plain('')) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('*', '"x"', 'W/"x"', '"a", "b"', '', ',', '"', `"${'y'.repeat(4000)}"`, '"a', 'W/*')
      .map((value) => plain(`If-None-Match: ${value}\r\n`)),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      plain('Accept: text/html;q=0.1\r\n'),
      plain('Accept: */*, \u00e4\r\n'),
      plain('Accept-Encoding: gzip, br, zstd, *;q=0\r\n'),
      plain('Accept-Encoding: gzip\r\n'),
      plain('Accept-Encoding: br;q=1.0, gzip;q=x\r\n'),
      plain('Accept-Encoding: zstd, ;;, =\r\n'),
      plain('Accept: text/event-stream\r\nLast-Event-ID: 1\r\n'),
      plain('Range: bytes=0-0\r\nIf-Range: "x"\r\n'),
      plain('X-Request-Id: \u00e4, b\r\n'),
      plain('Range: bytes=0-1\r\n'),
      plain('Range: bytes=9-1,-\r\n'),
      plain('If-Modified-Since: never\r\n'),
      plain('If-Match: "x"\r\n'),
      plain('X-Forwarded-For: 1.2.3.4, ::1, nonsense\r\nForwarded: for="_x"\r\n'),
      plain('X-HTTP-Method-Override: DELETE\r\n'),
      plain('Authorization: Basic YTpi\r\n'),
      plain('Cookie: a=b; c=d; =; ;\r\n'),
      plain('Expect: 100-continue\r\n'),
      plain('Connection: close\r\n'),
      plain('Connection: keep-alive, upgrade\r\nUpgrade: h2c\r\n'),
      plain('X-Empty:\r\n'),
      plain('Origin: null\r\nAccess-Control-Request-Method: PUT\r\n'),
      plain('X-Many: 1\r\n'.repeat(300)),
      plain('Content-Type: application/json\r\nContent-Length: 0\r\n'),
      { lines: 'Content-Type: application/json\r\nContent-Length: 5\r\n', body: '{"a":' },
      { lines: 'Transfer-Encoding: chunked\r\n', body: '3\r\nabc\r\n0\r\n\r\n' },
      { lines: 'Transfer-Encoding: chunked\r\n', body: 'zz\r\n' },
      { lines: 'Content-Length: 3\r\n', body: 'GET /api/v1/me HTTP/1.1\r\n\r\n' },
    ),
  },
)
