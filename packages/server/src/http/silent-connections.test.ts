import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { it } from 'node:test'
import { SilentConnections } from './silent-connections.ts'

it('closes the oldest connection without a request when there are too many, and none that has spoken', () => {
  const silent = new SilentConnections(2)
  const [spoke, oldest, gone, next, last] = Array.from({ length: 5 }, () => new Socket())
  assert.ok(spoke && oldest && gone && next && last)
  silent.opened(spoke)
  silent.spoke(spoke)
  silent.opened(oldest)
  silent.opened(gone)
  gone.emit('close')
  silent.opened(next)
  assert.equal(oldest.destroyed, false)
  silent.opened(last)
  assert.deepEqual(
    [spoke, oldest, next, last].map(({ destroyed }) => destroyed),
    [false, true, false, false],
  )
})
