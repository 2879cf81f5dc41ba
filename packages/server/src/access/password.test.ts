import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { createPasswordHasher, PASSWORD_PARAMETERS } from './password.ts'

const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 }

describe('passwords', () => {
  it('are stored as argon2id with salt and parameters, and verified by them', async () => {
    const hasher = createPasswordHasher({ parameters: CHEAP })
    const stored = await hasher.hash('correct horse')
    assert.match(stored, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(await hasher.hash('correct horse'), stored, 'each has a salt of its own')
    assert.equal(await hasher.verify('correct horse', stored), true)
    assert.equal(await hasher.verify('correct horsf', stored), false)
  })

  it('of an unknown account are wrong after the same work', async () => {
    const hasher = createPasswordHasher({ parameters: { ...CHEAP, memoryKib: 16_384 } })
    const stored = await hasher.hash('x')
    const timed = async (against: string | null): Promise<number> => {
      const start = performance.now()
      assert.equal(await hasher.verify('y', against), false)
      return performance.now() - start
    }
    await timed(stored)
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 5; round++) {
      known = Math.min(known, await timed(stored))
      unknown = Math.min(unknown, await timed(null))
    }
    assert.ok(unknown > known / 4, `${unknown} ms against ${known} ms`)
    assert.equal(await hasher.verify('x', 'not a hash'), false)
  })

  it('take the same letters from any keyboard as the same password', async () => {
    const hasher = createPasswordHasher({ parameters: CHEAP })
    assert.equal(await hasher.verify('Caf\u00e9', await hasher.hash('Cafe\u0301')), true)
  })

  it('cost 64 MiB and three passes, and older parameters are recognised', async () => {
    assert.deepEqual(PASSWORD_PARAMETERS, { memoryKib: 65_536, passes: 3, parallelism: 1 })
    const older = await createPasswordHasher({ parameters: CHEAP }).hash('x')
    const hasher = createPasswordHasher({ parameters: { ...CHEAP, passes: 2 } })
    assert.equal(hasher.needsRehash(older), true)
    assert.equal(hasher.needsRehash(await hasher.hash('x')), false)
    assert.equal(await hasher.verify('x', older), true, 'and still verified')
  })

  it('are refused when too many wait for their hash, and work again after', async () => {
    const hasher = createPasswordHasher({ parameters: CHEAP })
    const places = max('passwordHashesMax') + max('passwordHashQueueMax')
    const results = await Promise.allSettled(Array.from({ length: places + 3 }, () => hasher.hash('x')))
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 3)
    for (const { reason } of refused)
      assert.ok(reason instanceof ErrataError && reason.code === 'too_many_attempts')
    assert.equal(await hasher.verify('x', await hasher.hash('x')), true)
  })
})
