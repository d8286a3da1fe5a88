import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proofOf } from '../../web/src/mail/proof.ts'

test('only DMARC verifies the sender shown: anybody can sign mail with a domain of their own', () => {
  const of = (spf: string | null, dkim: string | null, dmarc: string | null) =>
    proofOf({ authentication: { spf, dkim, dmarc } })
  assert.equal(of('none', 'none', 'pass'), 'proved')
  for (const dmarc of ['none', 'temperror', 'permerror', null])
    assert.equal(of('pass', 'pass', dmarc), 'none', `signed by anybody, DMARC ${dmarc}`)
  assert.equal(of('pass', 'pass', 'fail'), 'refuted')
  assert.equal(proofOf({ authentication: null }), 'none')
})
