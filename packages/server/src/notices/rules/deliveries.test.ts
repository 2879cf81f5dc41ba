import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import {
  cancelledCall,
  claimDelivery,
  isLost,
  isMailed,
  loseDelivery,
  maySettle,
  reasonForNobody,
  settleDelivery,
  undeliverable,
} from './deliveries.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const webhook = { url: 'https://hooks.example', changedMs: 0 }

describe('a notice', () => {
  it('that nobody is told says why', () => {
    const off = { mail: false, webhook: null }
    const on = { mail: true, webhook: null }
    assert.match(reasonForNobody(off, { mail: true, people: 0 }) ?? '', /^Email is off/)
    assert.match(reasonForNobody(on, { mail: true, people: 0 }) ?? '', /^No member has/)
    assert.match(reasonForNobody(on, { mail: false, people: 0 }) ?? '', /^No mail server/)
    assert.equal(reasonForNobody({ ...off, webhook }, { mail: true, people: 0 }), null)
    assert.equal(reasonForNobody(on, { mail: true, people: 1 }), null)
  })

  it('is mailed where the project and the server mail', () => {
    assert.ok(isMailed({ mail: true }, true))
    assert.ok(!isMailed({ mail: true }, false) && !isMailed({ mail: false }, true))
  })
})

describe('a delivery whose lease ran out', () => {
  const of = { kind: 'new', triesMax: 3 } as const

  it('goes out again until it was tried often enough', () => {
    assert.ok(!isLost({ state: 'sending', tries: 2 }, of))
    assert.ok(isLost({ state: 'sending', tries: 3 }, of))
    assert.ok(!isLost({ state: 'waiting', tries: 3 }, of))
    assert.deepEqual([loseDelivery(NOW).state, loseDelivery(NOW).settledMs], ['failed', NOW])
  })

  it('is lost at once as a test', () => {
    assert.ok(isLost({ state: 'sending', tries: 1 }, { ...of, kind: 'test' }))
  })
})

describe('a delivery', () => {
  it('is held by whoever claimed it last, until the lease ends', () => {
    const held = claimDelivery(1, { lease: 'a', nowMs: NOW, leaseMs: 5 })
    assert.deepEqual(held, { state: 'sending', lease: 'a', dueMs: NOW + 5, tries: 2 })
    assert.ok(maySettle(held, 'a') && !maySettle(held, 'b'))
    assert.ok(!maySettle({ ...held, state: 'cancelled' }, 'a'))
  })

  it('waits on after a failed try, and is settled after any other', () => {
    const again = settleDelivery({ state: 'waiting', says: 'later', nextMs: NOW + 9 }, NOW)
    assert.deepEqual(again, { state: 'waiting', says: 'later', dueMs: NOW + 9, lease: null, settledMs: null })
    const sent = settleDelivery({ state: 'sent', says: 'x'.repeat(5_000) }, NOW)
    assert.deepEqual([sent.dueMs, sent.settledMs, sent.says.length], [null, NOW, max('noticeSaysCharsMax')])
  })

  it('is cancelled when its issue, its receiver or its webhook is gone', () => {
    const says = (channel: 'mail' | 'webhook', hasIssue: boolean) => {
      const after = undeliverable({ channel, hasIssue }, NOW)
      assert.equal(after.state, 'cancelled')
      return after.says
    }
    assert.equal(says('mail', false), 'The issue was deleted.')
    assert.match(says('mail', true), /^The recipient/)
    assert.match(says('webhook', true), /^The webhook was removed/)
  })

  it('to a webhook that is removed is cancelled unless it is settled', () => {
    assert.equal(cancelledCall('sent', NOW), null)
    assert.equal(cancelledCall('waiting', NOW)?.says, 'The webhook was removed.')
    assert.match(cancelledCall('sending', NOW)?.says ?? '', /it may have arrived/)
  })
})
