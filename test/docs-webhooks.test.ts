import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { verifyInPython } from '../src/http/docs/webhook-guide.ts'
import { eventTypes } from '../src/model/events.ts'
import { signDelivery } from '../src/webhook/sign.ts'
import { scratchFolder } from './support/parts/scratch.ts'

const guide = readFileSync(resolve(import.meta.dirname, '../docs/webhooks.md'), 'utf8')
const run = promisify(execFile)

function snippet(language: string): string {
  const found = new RegExp(`^\`\`\`${language} verify\\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1]
  assert.ok(found, `the guide verifies in ${language}`)
  return found
}

interface Language {
  command: string
  /** Writes the program that reads cases as JSON and answers a list of booleans; answers its arguments. */
  write(folder: string): string[]
}

const languages: Record<string, Language> = {
  ts: {
    command: process.execPath,
    write(folder) {
      const driver = `import { text } from 'node:stream/consumers'\nconst cases = JSON.parse(await text(process.stdin))\nconsole.log(JSON.stringify(cases.map(({ secret, headers, body }) => verify(secret, headers, body))))\n`
      writeFileSync(join(folder, 'verify.mts'), `${snippet('ts')}\n${driver}`)
      return ['verify.mts']
    },
  },
  python: {
    command: 'python3',
    write(folder) {
      const driver = `import json, sys\nprint(json.dumps([verify(c["secret"], c["headers"], c["body"]) for c in json.load(sys.stdin)]))\n`
      writeFileSync(join(folder, 'verify.py'), `${snippet('python')}\n${driver}`)
      return ['verify.py']
    },
  },
  go: {
    command: 'go',
    write(folder) {
      mkdirSync(join(folder, 'webhook'))
      writeFileSync(join(folder, 'go.mod'), 'module receiver\n\ngo 1.21\n')
      writeFileSync(join(folder, 'webhook/verify.go'), snippet('go'))
      const driver = `package main\n\nimport (\n\t"encoding/json"\n\t"fmt"\n\t"net/http"\n\t"os"\n\t"receiver/webhook"\n)\n\nfunc main() {\n\tvar cases []struct {\n\t\tSecret, Body string\n\t\tHeaders map[string]string\n\t}\n\t_ = json.NewDecoder(os.Stdin).Decode(&cases)\n\tfound := []bool{}\n\tfor _, c := range cases {\n\t\theaders := http.Header{}\n\t\tfor name, value := range c.Headers {\n\t\t\theaders.Set(name, value)\n\t\t}\n\t\tfound = append(found, webhook.Verify(c.Secret, headers, []byte(c.Body)))\n\t}\n\tout, _ := json.Marshal(found)\n\tfmt.Println(string(out))\n}\n`
      writeFileSync(join(folder, 'main.go'), driver)
      return ['run', '.']
    },
  },
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const body = '{"type":"webhook.test","data":{"name":"Zoë ☂"}}'
const sign = (secrets: string[], seconds = 0) =>
  signDelivery(secrets, { id: 'evt_1', at: Date.now() + seconds * 1000, body })

const cases: { what: string; good: boolean; secret: string; headers: object; body: string }[] = [
  { what: 'as it was sent', good: true, secret, headers: sign([secret]), body },
  {
    what: 'while the secret is rotated, the new one',
    good: true,
    secret,
    headers: sign([secret, other]),
    body,
  },
  {
    what: 'while the secret is rotated, the old one',
    good: true,
    secret,
    headers: sign([other, secret]),
    body,
  },
  { what: 'another secret', good: false, secret, headers: sign([other]), body },
  { what: 'another body', good: false, secret, headers: sign([secret]), body: `${body} ` },
  { what: 'another id', good: false, secret, headers: { ...sign([secret]), 'webhook-id': 'evt_2' }, body },
  { what: 'ten minutes old', good: false, secret, headers: sign([secret], -600), body },
  { what: 'ten minutes ahead', good: false, secret, headers: sign([secret], 600), body },
  {
    what: 'without a signature',
    good: false,
    secret,
    headers: { ...sign([secret]), 'webhook-signature': '' },
    body,
  },
  { what: 'no headers', good: false, secret, headers: {}, body },
]

for (const [name, { command, write }] of Object.entries(languages)) {
  const there = await run(command, [name === 'go' ? 'version' : '--version']).then(
    () => true,
    () => false,
  )
  // Go is no part that the tests bring along: where it is, its program runs too.
  if (!there && name === 'go') continue
  test(
    `the guide's verification in ${name} says yes and no`,
    { skip: there ? false : `${command} is not installed` },
    async () => {
      const folder = scratchFolder(`verify-${name}`)
      const child = spawn(command, write(folder), {
        cwd: folder,
        env: { ...process.env, HOME: folder, NODE_NO_WARNINGS: '1' },
      })
      child.stdin.end(JSON.stringify(cases))
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
      assert.notEqual(stdout, '', stderr)
      const found = JSON.parse(stdout) as boolean[]
      for (const [index, { what, good }] of cases.entries()) assert.equal(found[index], good, what)
    },
  )
}

test('the guide names every kind', () => {
  for (const type of eventTypes) assert.ok(guide.includes(`\`${type}\``), type)
})

test('the reference page verifies as the guide does', () =>
  assert.equal(`${verifyInPython}\n`, snippet('python')))
