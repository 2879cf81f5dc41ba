import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from './clock.ts'
import { StallWatch } from './stall-watch.ts'

describe('watching for a stall', () => {
  it('says what has not returned, once it took too long and until it returns', async () => {
    const clock = manualClock(0)
    const watch = new StallWatch({ clock, stallMs: 5_000 })
    const answer = Promise.withResolvers<string>()
    const work = watch.during('a write', () => answer.promise)
    clock.advance(4_999)
    assert.equal(watch.stalled(), null)
    clock.advance(2_001)
    assert.equal(watch.stalled(), 'a write has not returned for 7 s')
    answer.resolve('done')
    assert.equal(await work, 'done')
    assert.equal(watch.stalled(), null)
  })

  it('watches nothing any more when the work has failed', async () => {
    const clock = manualClock(0)
    const watch = new StallWatch({ clock, stallMs: 5_000 })
    await assert.rejects(
      watch.during('a sync', async () => {
        throw new Error('no')
      }),
      /no/,
    )
    clock.advance(60_000)
    assert.equal(watch.stalled(), null)
  })
})
