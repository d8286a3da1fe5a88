import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidePassword } from '../../src/mail/hidden-password.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('whatever a server repeats of the sign-in, the password is not in it', () => {
  const secret = 'ya29.a"0Ae\\4lvC'
  const repeated = [
    secret,
    secret.replaceAll(/["\\]/g, '\\$&'),
    base64(secret),
    base64(`\0ada@shop.example\0${secret}`),
    base64(`user=ada@shop.example\x01auth=Bearer ${secret}\x01\x01`),
    base64(`n,a=ada@shop.example,\x01auth=Bearer ${secret}\x01\x01`),
    base64(`n,a=ada@shop.example,\x01host=mail.example\x01port=993\x01auth=Bearer ${secret}\x01\x01`),
  ]
  for (const credentials of [{ password: secret }, { password: null, token: secret }])
    for (const words of repeated) {
      const error = Object.assign(new Error(`Not understood: AUTH ${words}, try again`), { response: words })
      hidePassword(error, credentials)
      assert.equal(error.message, 'Not understood: AUTH …, try again')
      assert.equal(error.response, '…')
      assert.ok(!error.stack!.includes(words))
    }
})
