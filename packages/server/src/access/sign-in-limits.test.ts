import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { createPasswordLimits, createSignInLimits } from './sign-in-limits.ts'

const PER_ACCOUNT = max('signInTriesPerAccount')
const PER_ADDRESS = max('signInTriesPerAddress')

function tries(
  limits: ReturnType<typeof createSignInLimits>,
  count: number,
  address: string,
  account: string,
) {
  return Array.from({ length: count }, () => limits.attempt(address, account).ok)
}

describe('sign-in limits', () => {
  it('stop an account after its tries, from any address and in any spelling', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    for (let n = 0; n < PER_ACCOUNT; n++) assert.ok(limits.attempt(`192.0.2.${n}`, 'Ada@Example.com').ok)
    const answer = limits.attempt('192.0.2.99', ' ada@example.COM ')
    assert.deepEqual(answer, { ok: false, retryAfterSeconds: 900 })
    assert.ok(limits.attempt('192.0.2.99', 'other@example.com').ok)
  })

  it('stop an address after its tries, whichever account it tries', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    for (let n = 0; n < PER_ADDRESS; n++) assert.ok(limits.attempt('192.0.2.1', `${n}@example.com`).ok)
    assert.equal(limits.attempt('192.0.2.1', 'fresh@example.com').ok, false)
    assert.ok(limits.attempt('192.0.2.2', 'fresh@example.com').ok)
  })

  it('count one /64 of IPv6 as one address', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    for (let n = 0; n < PER_ADDRESS; n++) {
      assert.ok(limits.attempt(`2001:db8:0:1::${n.toString(16)}`, `${n}@example.com`).ok)
    }
    assert.equal(limits.attempt('2001:db8:0:1:ffff::1', 'x@example.com').ok, false)
    assert.ok(limits.attempt('2001:db8:0:2::1', 'x@example.com').ok)
  })

  it('end with their window', () => {
    const clock = manualClock(0)
    const limits = createSignInLimits({ clock })
    assert.ok(tries(limits, PER_ACCOUNT, '192.0.2.1', 'a@example.com').every(Boolean))
    clock.advance(max('signInWindowMs') - 1_000)
    assert.deepEqual(limits.attempt('192.0.2.1', 'a@example.com'), { ok: false, retryAfterSeconds: 1 })
    clock.advance(1_000)
    assert.ok(limits.attempt('192.0.2.1', 'a@example.com').ok)
  })

  it('forget the tries of whoever has the right password', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    tries(limits, PER_ACCOUNT - 1, '192.0.2.1', 'a@example.com')
    const last = limits.attempt('192.0.2.1', 'a@example.com')
    assert.ok(last.ok)
    last.succeeded()
    assert.ok(tries(limits, PER_ACCOUNT, '192.0.2.1', 'a@example.com').every(Boolean))
  })

  it('forget no tries for names that nobody may try any more', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    tries(limits, PER_ACCOUNT, '192.0.2.1', 'ada@example.com')
    tries(limits, PER_ADDRESS, '192.0.2.2', 'other@example.com')
    for (let n = 0; n <= max('signInKeysMax'); n++) limits.attempt('192.0.2.2', `${n}@example.com`)
    assert.equal(limits.attempt('192.0.2.9', 'ada@example.com').ok, false)
  })

  it('forget addresses and accounts with few tries before those with many', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    tries(limits, PER_ACCOUNT, '192.0.2.1', 'ada@example.com')
    for (let n = 0; n < max('signInKeysMax'); n++)
      assert.ok(limits.attempt(`10.${n >> 8}.${n & 255}.1`, `${n}@example.com`).ok)
    assert.equal(limits.attempt('192.0.2.9', 'ada@example.com').ok, false)
  })

  it('remember a bounded number of accounts', () => {
    const limits = createSignInLimits({ clock: manualClock(0) })
    // All alike: the oldest goes.
    tries(limits, 1, '192.0.2.1', 'old@example.com')
    for (let n = 0; n < max('signInKeysMax'); n++)
      limits.attempt(`10.${n >> 8}.${n & 255}.1`, `${n}@example.com`)
    assert.ok(tries(limits, PER_ACCOUNT, '192.0.2.9', 'old@example.com').every(Boolean), 'the oldest went')
  })
})

describe('limits of passwords', () => {
  it('are apart for networks, and an account has no lock: further tries are ever further apart', () => {
    const clock = manualClock(0)
    const limits = createPasswordLimits({ clock })
    const attempt = (address: string) => limits.attempt(address, 'a@example.com', null)
    for (let n = 0; n < max('signInTriesPerAccountADay'); n++) assert.ok(attempt(`10.0.${n}.1`).ok)
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      const refused = attempt(`10.1.${n}.1`)
      assert.ok(!refused.ok)
      waits.push(refused.retryAfterSeconds)
      clock.advance(refused.retryAfterSeconds * 1_000)
      assert.ok(attempt(`10.1.${n}.1`).ok)
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  })

  it('count one /48 of IPv6 and one /24 of IPv4 as one network', () => {
    for (const [first, last, other] of [
      ['2001:db8:1:', '2001:db8:1:ffff::1', '2001:db8:2::1'],
      ['192.0.2.', '192.0.2.99', '192.0.3.1'],
    ] as const) {
      const limits = createPasswordLimits({ clock: manualClock(0) })
      const attempt = (address: string) => limits.attempt(address, 'a@example.com', null).ok
      for (let n = 1; n <= PER_ACCOUNT; n++)
        assert.ok(attempt(first.includes(':') ? `${first}${n}::1` : `${first}${n}`))
      assert.deepEqual([attempt(last), attempt(other)], [false, true])
    }
  })
})
