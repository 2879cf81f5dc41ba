import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { userId } from '#base/ids.ts'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom as random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { newAppSecret, stepOfCode } from './authenticator-app.ts'
import { createChallenges } from './challenges.ts'
import { passkeyPlace } from './passkeys.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'
import { createSeal, SEAL_KEY_BYTES } from './seal.ts'
import { createWaitingSignIns } from './waiting-sign-ins.ts'

const NOW = Date.UTC(2026, 10, 20)

describe('a challenge', () => {
  it('is taken once, for its purpose, for ten minutes, by the process that made it', () => {
    const clock = manualClock(NOW)
    const challenges = createChallenges({ clock, random })
    const one = challenges.issue('sign in')
    assert.equal(challenges.use('confirm 1', one), false)
    assert.equal(createChallenges({ clock, random }).use('sign in', one), false)
    assert.equal(challenges.use('sign in', one.replace(/\.\d+\./, `.${NOW * 2}.`)), false)
    assert.deepEqual([challenges.use('sign in', one), challenges.use('sign in', one)], [true, false])
    const late = challenges.issue('sign in')
    clock.advance(max('secondFactorMs'))
    assert.equal(challenges.use('sign in', late), false)
    assert.equal(challenges.use('sign in', ''), false)
  })
})

describe('a sign-in that waits', () => {
  it('is found by its ticket until it ends or is too old, and there are so many', () => {
    const clock = manualClock(NOW)
    const waiting = createWaitingSignIns({ clock, random })
    const first = waiting.begin(userId(1))
    assert.deepEqual([waiting.find(first), waiting.find('another')], [1, null])
    for (let index = 1; index < max('signInsWaitingMax'); index++) waiting.begin(userId(2))
    assert.equal(waiting.find(first), 1)
    const last = waiting.begin(userId(3))
    assert.equal(waiting.find(first), null, 'the oldest goes')
    clock.advance(max('secondFactorMs') - 1)
    assert.equal(waiting.find(last), 3)
    clock.advance(1)
    assert.equal(waiting.find(last), null)
    const ended = waiting.begin(userId(4))
    waiting.end(ended)
    assert.equal(waiting.find(ended), null)
  })
})

describe('a seal', () => {
  it('opens what it sealed, and nothing that was changed or sealed with another key', () => {
    const seal = createSeal(new Uint8Array(SEAL_KEY_BYTES))
    const sealed = seal.seal('JBSWY3DP')
    assert.equal(seal.open(sealed), 'JBSWY3DP')
    assert.notEqual(seal.seal('JBSWY3DP'), sealed)
    assert.equal(createSeal(new Uint8Array(SEAL_KEY_BYTES).fill(1)).open(sealed), null)
    assert.equal(seal.open(sealed.slice(0, -4)), null)
    assert.equal(seal.open(''), null)
  })
})

describe('codes', () => {
  /** RFC 6238, appendix B: the last six digits at 59 s. */
  it('are those of the standard, half a minute early or late', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    assert.equal(stepOfCode(secret, '287082', 59_000), 1)
    assert.equal(stepOfCode(secret, '287082', 89_000), 1)
    assert.equal(stepOfCode(secret, '287082', 20_000), 1)
    assert.equal(stepOfCode(secret, '287082', 90_000), null)
    assert.equal(stepOfCode(secret, 'abcdef', 59_000), null)
    assert.match(newAppSecret(random), /^[A-Z2-7]{32}$/)
  })

  it('of recovery are as many as the limit says, and read however they are typed', () => {
    const codes = newRecoveryCodes(random)
    assert.equal(new Set(codes).size, max('recoveryCodes'))
    const [code = ''] = codes
    assert.match(code, /^[0-9a-f]{5}(?:-[0-9a-f]{5}){3}$/)
    assert.equal(recoveryCodeHash(` ${code.toUpperCase().replaceAll('-', ' ')}`), recoveryCodeHash(code))
  })
})

describe('the place of a passkey', () => {
  it('is a host name over https, or this machine', () => {
    const hostOf = (used: string) =>
      passkeyPlace(new PublicAddress({ url: null, port: 9_000 }), used)?.host ?? null
    assert.equal(hostOf('https://errata.example.com:8443'), 'errata.example.com')
    assert.equal(hostOf('http://localhost:9000'), 'localhost')
    assert.equal(hostOf('http://errata.example.com'), null)
    assert.equal(hostOf('https://192.0.2.7'), null)
    assert.equal(hostOf('https://[2001:db8::1]'), null)
  })

  it('is the address that was set, whatever a browser says', () => {
    const address = new PublicAddress({ url: 'https://errata.example.com', port: 9_000 })
    assert.equal(passkeyPlace(address, 'https://evil.example')?.origin, 'https://errata.example.com')
  })
})
