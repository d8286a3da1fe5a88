import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { addressReader } from '../src/http/addresses/client-address.ts'

function seen(trustProxy: boolean | string[], remoteAddress: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return addressReader(trustProxy)({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)
}

test("a client's address: nobody is believed, one proxy, or those that are named", () => {
  const said = '6.6.6.6, 203.0.113.9, 10.0.0.2'
  assert.equal(seen(false, '10.0.0.1', said), '10.0.0.1')
  assert.equal(seen(true, '10.0.0.1'), '10.0.0.1')
  assert.equal(
    seen(true, '10.0.0.1', '6.6.6.6, 203.0.113.9'),
    '203.0.113.9',
    'one hop, never what a client wrote',
  )
  assert.equal(seen(['10.0.0.0/8'], '10.0.0.1', said), '203.0.113.9')
  assert.equal(seen(['10.0.0.0/8'], '::ffff:10.0.0.1', said), '203.0.113.9')
  assert.equal(seen(['10.0.0.0/8'], '192.0.2.7', said), '192.0.2.7')
  assert.equal(seen(true, '10.0.0.1', 'rubbish'), '10.0.0.1')
})
