import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRedirectProblem, matchesRedirect } from '../../src/core/grants/redirects.ts'

/** A browser takes those of http and https for a path of the page that it is on, other parsers for a host. */
const ambiguous = [
  'https:agent.example/back',
  'https:/agent.example/back',
  'https:///agent.example/back',
  'https://?agent.example',
  'HTTPS:agent.example/back',
  'http:localhost/back',
  'http:/127.0.0.1/back',
  'com.agent.example:back',
]

test('a redirect address says its host after //, or is of a scheme without hosts', () => {
  for (const address of ambiguous) assert.notEqual(findRedirectProblem(address), null, address)
  for (const address of [
    'https://agent.example/back',
    'http://localhost:4711/back',
    'http://[::1]/back',
    'com.agent.example:/back',
    'com.agent.example://back',
    'vscode://publisher.agent/back',
  ])
    assert.equal(findRedirectProblem(address), null, address)
})

test('an address that was registered under earlier rules is refused where it is used', () => {
  for (const address of ambiguous) assert.equal(matchesRedirect([address], address), false, address)
  assert.equal(matchesRedirect(['https://agent.example/back'], 'https://agent.example/back'), true)
})
