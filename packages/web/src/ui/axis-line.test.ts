import assert from 'node:assert/strict'
import { it } from 'node:test'
import { axisLine, CHART_HEAD, peakWith } from './axis-line.ts'

it('names a line at half the height, or at the top where that cannot be halved', () => {
  assert.deepEqual(axisLine(7), { top: 8, value: 4, y: 70, textY: 66 })
  assert.deepEqual(axisLine(1), { top: 1, value: 1, y: 20, textY: 32 })
})

it('keeps its name out of the room where marks have theirs, whatever the peak', () => {
  const glyphs = 9
  for (let peak = 0; peak < 500; peak += 1)
    assert.ok(axisLine(peak).textY - glyphs >= CHART_HEAD, `peak ${peak}`)
})

it('makes room for limits that leave the bars readable, and for no others', () => {
  assert.equal(peakWith(10, [12, 30]), 30)
  assert.equal(peakWith(10, [0, 31]), 10)
  assert.equal(peakWith(0, [2]), 2)
  assert.equal(peakWith(5, []), 5)
})
