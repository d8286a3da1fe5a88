import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { connectClient } from './support/mcp.ts'
import { startSpool } from './support/spool.ts'

const golden = resolve(import.meta.dirname, 'golden/mcp-tools.json')

test('the tools that are listed, and what agents are told, are those that were agreed on', async () => {
  await using spool = await startSpool('sqlite')
  const client = await connectClient(spool.url, spool.token)
  const { tools } = await client.listTools()
  const text = `${JSON.stringify({ instructions: client.getInstructions(), tools }, null, 2)}\n`
  await client.close()
  if (process.env['SPOOL_WRITE_GOLDENS'] === '1') writeFileSync(golden, text)
  assert.equal(
    text,
    readFileSync(golden, 'utf8'),
    'mcp-tools.json changed: look at it, then `npm run goldens`',
  )
})

test('no tool sends, no schema refers elsewhere, every input is an allowlist, every text of others is named untrusted', () => {
  const { tools } = JSON.parse(readFileSync(golden, 'utf8')) as {
    tools: { name: string; inputSchema: { additionalProperties?: boolean }; outputSchema: object }[]
  }
  assert.deepEqual(
    tools.map(({ name }) => name),
    [
      'whoami',
      'list_threads',
      'get_thread',
      'get_attachment',
      'list_notes',
      'propose_draft',
      'revise_draft',
      'withdraw_draft',
      'get_draft',
      'list_drafts',
      'search',
      'fetch',
    ],
  )
  for (const { name, inputSchema, outputSchema } of tools) {
    assert.equal(inputSchema.additionalProperties, false, name)
    assert.doesNotMatch(JSON.stringify({ inputSchema, outputSchema }), /\$ref|"example"/, name)
    // It answers nothing that others wrote.
    if (name !== 'whoami') assert.match(JSON.stringify(outputSchema), /UNTRUSTED, fenced/, name)
  }
})
