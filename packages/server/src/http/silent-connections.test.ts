import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { it } from 'node:test'
import { SilentConnections } from './silent-connections.ts'

it('closes the oldest connection without a request when there are too many, and none that has spoken', () => {
  const silent = new SilentConnections({ sockets: 2, graceMs: 0, burst: 2 })
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

it('lets many that come at once speak before it closes one, up to a bound', () => {
  let nowMs = 0
  const silent = new SilentConnections({ sockets: 2, graceMs: 1_000, burst: 6 }, () => nowMs)
  const open = (count: number) =>
    Array.from({ length: count }, () => {
      const socket = new Socket()
      silent.opened(socket)
      return socket
    })
  const closed = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => destroyed).length
  const burst = open(6)
  assert.equal(closed(burst), 0)
  const more = open(1)
  assert.deepEqual([closed(burst), burst[0]?.destroyed], [1, true], 'no more than there is room for')
  for (const socket of burst.slice(4)) silent.spoke(socket)
  nowMs = 999
  const late = open(1)
  assert.equal(closed([...burst, ...more]), 1)
  nowMs = 1_000
  const last = open(1)
  assert.deepEqual([closed(burst.slice(1, 4)), closed(burst.slice(4)), closed(more)], [3, 0, 1])
  assert.equal(closed([...late, ...last]), 0)
})
