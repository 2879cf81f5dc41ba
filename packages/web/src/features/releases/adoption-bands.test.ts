import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bandsOf, labelsOf } from './adoption-bands.ts'

describe('the chart of adoption', () => {
  const aRelease = (version: string, counts: readonly number[]) => ({
    version,
    counts,
    lately: null,
    at: null,
  })

  test('lays the newest at the bottom and what is not named at the top, each as high as its share', () => {
    const bands = bandsOf({
      totals: [10, 20],
      releases: [aRelease('b', [0, 15]), aRelease('a', [5, 5])],
    })
    const heights = bands.map(({ version, shapes }) => [version, shapes[0]?.map(({ y }) => y)])
    assert.deepEqual(heights, [
      ['b', [1, 1, 0.25, 0.25, 1, 1, 1, 1]],
      ['a', [0.5, 0.5, 0, 0, 0.25, 0.25, 1, 1]],
      [null, [0, 0, 0, 0, 0, 0, 0.5, 0.5]],
    ])
  })

  test('parts where nothing was used, and draws no release where it was not', () => {
    const [first, second] = bandsOf({
      totals: [4, 0, 4],
      releases: [aRelease('b', [0, 0, 4]), aRelease('a', [4, 0, 0])],
    })
    assert.deepEqual([first?.shapes.length, second?.shapes.length], [1, 1])
    assert.ok((first?.shapes[0]?.[0]?.x ?? 0) > 66)
  })

  test('names the newest of two that begin near to each other', () => {
    const at = (part: number) => ({ ms: 0, part, isDeploy: true })
    const shown = labelsOf([
      { version: 'c', at: at(0.9) },
      { version: 'b', at: at(0.85) },
      { version: 'a', at: at(0.2) },
      { version: 'old', at: null },
    ])
    assert.deepEqual(
      shown.map(({ version }) => version),
      ['c', 'a'],
    )
  })
})
