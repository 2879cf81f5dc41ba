import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPasswordHasher, PASSWORD_PARAMETERS } from './password.ts'

const ASKER = { is: 'known', account: 'anybody' } as const
const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 }

describe('passwords', () => {
  it('are stored as argon2id with salt and parameters, and verified by them', async () => {
    const hasher = createPasswordHasher({ parameters: CHEAP })
    const stored = await hasher.hash('correct horse', ASKER)
    assert.match(stored, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(await hasher.hash('correct horse', ASKER), stored, 'each has a salt of its own')
    assert.equal(await hasher.verify('correct horse', stored, ASKER), true)
    assert.equal(await hasher.verify('correct horsf', stored, ASKER), false)
  })

  it('of an unknown account are wrong after the same work', async () => {
    const hasher = createPasswordHasher({ parameters: { ...CHEAP, memoryKib: 16_384 } })
    const stored = await hasher.hash('x', ASKER)
    // Of the processor, which a busy machine does not lengthen.
    const worked = async (against: string | null): Promise<number> => {
      const start = process.cpuUsage()
      assert.equal(await hasher.verify('y', against, ASKER), false)
      return process.cpuUsage(start).user / 1_000
    }
    await worked(stored)
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 5; round++) {
      known = Math.min(known, await worked(stored))
      unknown = Math.min(unknown, await worked(null))
    }
    assert.ok(unknown > known / 4, `${unknown} ms against ${known} ms`)
    assert.equal(await hasher.verify('x', 'not a hash', ASKER), false)
  })

  it('take the same letters from any keyboard as the same password', async () => {
    const hasher = createPasswordHasher({ parameters: CHEAP })
    assert.equal(await hasher.verify('Caf\u00e9', await hasher.hash('Cafe\u0301', ASKER), ASKER), true)
  })

  it('cost 64 MiB and three passes, and those of older parameters are verified', async () => {
    assert.deepEqual(PASSWORD_PARAMETERS, { memoryKib: 65_536, passes: 3, parallelism: 1 })
    const older = await createPasswordHasher({ parameters: CHEAP }).hash('x', ASKER)
    const hasher = createPasswordHasher({ parameters: { ...CHEAP, passes: 2 } })
    assert.equal(await hasher.verify('x', older, ASKER), true)
    assert.equal(await hasher.verify('y', older, ASKER), false)
  })
})
