import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { Crew, crewFor, fixedCrew } from './crew.ts'

const GIB = 1024 ** 3

describe('the number of process threads', () => {
  for (const [cores, memoryBytes, least, most] of [
    [1, 4 * GIB, 1, 2],
    [2, 4 * GIB, 1, 2],
    [3, 4 * GIB, 2, 2],
    [4, 4 * GIB, 2, 3],
    [8, 8 * GIB, 2, 7],
    [64, 64 * GIB, 2, 16],
    [8, GIB / 4, 1, 1],
    [8, GIB, 2, 4],
    [8, 1, 1, 1],
  ] as const) {
    it(`is ${least} to ${most} on ${cores} cores with ${Math.round(memoryBytes / 2 ** 20)} MB`, () => {
      const crew = crewFor(cores, memoryBytes)
      assert.deepEqual({ least: crew.least, most: crew.most }, { least, most })
    })
  }

  const waits = { isWaiting: true, busy: 99 }
  const rests = { isWaiting: false, busy: 0 }

  it('grows while the log waits without a pause: at once where a core is left, later where it is shared', () => {
    const clock = manualClock(0)
    const crew = new Crew({ least: 1, most: 3, unshared: 2 }, clock)
    const [soon, later] = [max('processThreadBeginMs'), max('processThreadShareMs')]
    assert.equal(crew.look(waits), 1)
    clock.advance(soon - 1)
    assert.equal(crew.look(waits), 1)
    assert.equal(crew.look({ isWaiting: false, busy: 1 }), 1, 'the wait is counted from its beginning')
    clock.advance(1)
    assert.equal(crew.look(waits), 1)
    clock.advance(soon)
    assert.equal(crew.look(waits), 2)
    clock.advance(later - 1)
    assert.equal(crew.look(waits), 2)
    clock.advance(1)
    assert.equal(crew.look(waits), 3)
    clock.advance(10 * later)
    assert.equal(crew.look(waits), 3)
  })

  it('shrinks one by one to what it was at the start', () => {
    const clock = manualClock(0)
    const crew = new Crew({ least: 1, most: 3, unshared: 3 }, clock)
    crew.look(waits)
    for (const more of [2, 3]) {
      clock.advance(max('processThreadBeginMs'))
      assert.equal(crew.look(waits), more)
    }
    const rest = max('processThreadRestMs')
    clock.advance(rest - 1)
    assert.equal(crew.look(rests), 3)
    assert.equal(crew.look({ isWaiting: false, busy: 3 }), 3, 'all of them are needed')
    clock.advance(rest)
    assert.equal(crew.look({ isWaiting: false, busy: 2 }), 2)
    assert.equal(crew.look(rests), 2)
    clock.advance(rest)
    assert.equal(crew.look(rests), 1)
    clock.advance(rest)
    assert.equal(crew.look(rests), 1)
  })

  it('never changes where a person has set it', () => {
    const clock = manualClock(0)
    const crew = new Crew(fixedCrew(2), clock)
    crew.look(waits)
    clock.advance(max('processThreadShareMs'))
    assert.equal(crew.look(waits), 2)
    clock.advance(max('processThreadRestMs'))
    assert.equal(crew.look(rests), 2)
  })
})
