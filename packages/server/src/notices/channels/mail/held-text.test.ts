import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HeldLine } from '#ports/letters.ts'
import { heldText } from './held-text.ts'

const link = (path: string) => `https://errata.test${path}`
const ISSUE = { shortId: 'SHOP-12', title: 'TypeError: <b>total</b>\nis undefined' }
const MENTION: HeldLine = {
  ...{ organisation: 'acme', issue: ISSUE, headline: '', ruleId: null },
  telling: {
    ...{ organisation: 'acme', issue: ISSUE, kind: 'commented', detail: { text: 'look' }, by: 'Ada' },
    ...{ isMention: true, isToReceiver: false },
  },
}
const ALERT: HeldLine = {
  ...{ organisation: 'acme', issue: null, telling: null, headline: 'p95 is 4 s', ruleId: 7 },
}

describe('the email after quiet hours', () => {
  it('lists what waited, each with its page, and leads to the inbox', () => {
    const { subject, text } = heldText({ lines: [MENTION, ALERT], total: 2 }, link)
    assert.equal(subject, '2 updates during your quiet hours')
    assert.match(text, /- SHOP-12: Ada mentioned you\n {2}TypeError: <b>total<\/b> is undefined\n/)
    assert.match(text, /https:\/\/errata\.test\/acme\/issues\/SHOP-12\/activity/)
    assert.match(text, /- p95 is 4 s\n {2}https:\/\/errata\.test\/acme\/alerts\/rules\/7\n/)
    assert.match(text, /Open your inbox: https:\/\/errata\.test\/inbox/)
  })

  it('says how many it leaves out, and carries no markup of others', () => {
    const { subject, text, html } = heldText({ lines: [MENTION], total: 3 }, link)
    assert.match(text, /2 more are in your inbox\./)
    assert.ok(!html.includes('<b>total'))
    assert.equal(subject, '3 updates during your quiet hours')
    assert.equal(heldText({ lines: [ALERT], total: 1 }, link).subject, '1 update during your quiet hours')
  })
})
