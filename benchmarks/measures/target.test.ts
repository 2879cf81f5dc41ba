import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { corpusEvent } from '../corpus/corpus.ts'
import { describeTarget, firstOfRun } from './target.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const SEED = 1

describe('a run against another server', () => {
  it('begins behind the last event of the run before it, however fast that was', () => {
    const perSecond = 50_000
    for (const seconds of [1, 60, 3_600]) {
      const end = firstOfRun(NOW_MS) + perSecond * seconds
      assert.ok(firstOfRun(NOW_MS + seconds * 1_000) >= end)
    }
  })

  for (const stacks of [3, 'all'] as const) {
    it(`sends events of its own, as large as any others: ${stacks} stacks`, () => {
      const spec = { kind: 'error-5k', stacks, seed: SEED } as const
      const from = (first: number) =>
        Array.from({ length: 200 }, (_, number) => corpusEvent(spec, first + number, NOW_MS))
      const runs = [0, firstOfRun(NOW_MS), firstOfRun(NOW_MS + 1_000)].map(from)
      const ids = runs.flat().map(({ id }) => id)
      assert.equal(new Set(ids).size, 600)
      for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/)
      const [usual = 0, ...others] = runs.map((run) => run.reduce((sum, { json }) => sum + json.length, 0))
      for (const bytes of others) assert.ok(Math.abs(bytes / usual - 1) < 0.05, `${bytes} of ${usual}`)
    })
  }

  it('says how to repeat it', () => {
    const { notes } = describeTarget({ first: 177_312_345, seed: SEED, cases: [] })
    assert.ok(notes.some((note) => note.includes('--first 177312345')))
  })
})
