import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import { type HashAsker, HashTurns } from './hash-turns.ts'

/** Turns whose tasks end when they are told to, and what became of whom, in order. */
function slowTurns() {
  const turns = new HashTurns(0)
  const [begun, refused]: [string[], string[]] = [[], []]
  const ends = new Map<string, () => void>()
  const ask = (name: string, asker: HashAsker) =>
    void turns
      .run(asker, () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
      .catch((cause: unknown) => {
        assert.ok(cause instanceof ErrataError && cause.code === 'overloaded')
        refused.push(name)
      })
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { begun, refused, ask, end }
}

async function settled(): Promise<void> {
  // Refusals come by timers, which go in the order in which they were set.
  await new Promise<void>((resolve) => setTimeout(resolve, 1))
  await new Promise<void>((resolve) => setImmediate(resolve))
}

const stranger = (failures: number): HashAsker => ({ is: 'stranger', failures })
const known = (account: string): HashAsker => ({ is: 'known', account })

describe('turns of hashing', () => {
  it('leave one for who is known, whoever else tries', async () => {
    const { ask, begun, refused, end } = slowTurns()
    for (let n = 0; n < 10 * max('passwordHashStrangersMax'); n++) ask('stranger', stranger(n % 3))
    await settled()
    assert.deepEqual(begun, ['stranger'])
    ask('rosa', known('rosa'))
    await settled()
    assert.deepEqual(begun, ['stranger', 'rosa'])
    ask('rosa again', known('rosa'))
    await end('stranger')
    assert.deepEqual(begun, ['stranger', 'rosa', 'rosa again'], 'and the next one before any stranger')
    assert.ok(refused.length > 0 && refused.every((name) => name === 'stranger'))
  })

  it('go first to strangers whose network failed the least, who also take the room of others', async () => {
    const { ask, begun, refused, end } = slowTurns()
    ask('first', stranger(0))
    for (let n = 0; n < max('passwordHashStrangersMax'); n++) ask(`botnet ${n}`, stranger(5))
    await settled()
    assert.deepEqual(refused, [])
    ask('newcomer', stranger(0))
    ask('one more', stranger(5))
    await settled()
    assert.deepEqual(refused.toSorted(), ['botnet 0', 'one more'])
    await end('first')
    await end('newcomer')
    await end('botnet 1')
    assert.deepEqual(begun, ['first', 'newcomer', 'botnet 1', 'botnet 2'])
  })

  it('go round among accounts, with so many of each', async () => {
    const { ask, begun, refused, end } = slowTurns()
    const places = max('passwordHashesMax') + max('passwordHashesPerAccountMax')
    for (let n = 0; n < places + 2; n++) ask(`noisy ${n}`, known('noisy'))
    ask('quiet', known('quiet'))
    await settled()
    assert.equal(refused.length, 2)
    await end('noisy 0')
    await end('noisy 1')
    assert.deepEqual(begun, ['noisy 0', 'noisy 1', 'noisy 2', 'quiet'])
  })

  it('are given back by what fails', async () => {
    const turns = new HashTurns()
    for (let n = 0; n < 5; n++) {
      const failing = turns.run(stranger(0), () => Promise.reject(new Error('no memory')))
      await assert.rejects(failing, /no memory/)
    }
    assert.equal(await turns.run(stranger(0), async () => 'done'), 'done')
  })
})
