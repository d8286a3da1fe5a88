import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseMail } from '../../src/mail/parse.ts'
import type { Bounce, MailKind } from '../../src/model/mail/mail.ts'
import { eml } from '../support/eml.ts'

const kinds: Record<string, MailKind> = {
  'auto-reply': 'auto_reply',
  'auto-reply-exchange': 'auto_reply',
  'auto-reply-precedence': 'auto_reply',
  'auto-reply-bulk': 'auto_reply',
  'auto-reply-x': 'auto_reply',
  'receipt-read': 'auto_reply',
  'report-delivered': 'auto_reply',
  'auto-submitted-no': 'personal',
  'person-about-office': 'personal',
  'notice-auto-generated': 'personal',
  'forwarded-bounce': 'personal',
  'unsubscribe-only': 'personal',
  'list-id': 'list',
  'list-bulk': 'list',
}

const bounces: Record<string, Bounce> = {
  'bounce-postfix': {
    originalMessageId: '<sent-1@example.org>',
    recipient: 'gone@example.com',
    reason: '550 5.1.1 <gone@example.com>: nobody here by that name',
    failed: true,
  },
  'bounce-exchange': {
    originalMessageId: '<sent-2@example.org>',
    recipient: 'full@example.com',
    reason: 'The mailbox is full. (5.2.2)',
    failed: true,
  },
  'bounce-delay': {
    originalMessageId: '<sent-3@example.org>',
    recipient: 'slow@example.com',
    reason: 'The recipient’s mail server could not be reached. (4.4.1)',
    failed: false,
  },
  'bounce-qmail': {
    originalMessageId: '<sent-4@example.org>',
    recipient: 'gone@example.com',
    reason: '192.0.2.7 does not like recipient. Remote host said: 550 unknown user',
    failed: true,
  },
  'bounce-exim': {
    originalMessageId: '<sent-5@example.org>',
    recipient: 'gone@example.com',
    reason: 'host mail.example.com [192.0.2.8]: 550 mailbox is gone',
    failed: true,
  },
}

describe('who wrote it', () => {
  for (const [name, kind] of Object.entries(kinds)) {
    test(`${name} is ${kind}`, () => {
      const mail = parseMail(eml(name))
      assert.equal(mail.kind, kind)
      assert.equal(mail.bounce, null)
    })
  }
})

describe('bounces', () => {
  for (const [name, bounce] of Object.entries(bounces)) {
    test(name, () => {
      const mail = parseMail(eml(name))
      assert.equal(mail.kind, 'bounce')
      assert.deepEqual(mail.bounce, bounce)
    })
  }
})
