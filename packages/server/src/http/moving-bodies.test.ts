import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { MovingBodies } from './moving-bodies.ts'

const TIMES = { windowMs: 100, checkMs: 10, bytesMin: 50, totalMs: 1_000 }

/** Large bodies on a clock that stands still until told. */
function aRoom(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = { ms: 0 }
  const cut: unknown[] = []
  const moving = new MovingBodies({ ...TIMES, cut: (socket) => cut.push(socket), now: () => clock.ms })
  const pass = (ms: number) => {
    for (const end = clock.ms + ms; clock.ms < end; ) {
      clock.ms += TIMES.checkMs
      t.mock.timers.tick(TIMES.checkMs)
    }
  }
  const begin = () => {
    const socket = new PassThrough()
    const sender = new PassThrough()
    // A request's socket; what is asked of it is who it is.
    const pieces = moving.watched({ socket: socket as never }, sender)
    return {
      socket,
      async send(bytes: number) {
        sender.write(Buffer.alloc(bytes))
        await pieces.next()
      },
      end: () => pieces.return(),
    }
  }
  return { moving, cut, pass, begin }
}

describe('a large body that takes longer than a body may', () => {
  it('goes on where enough of it came, and is otherwise over', async (t) => {
    const { moving, begin } = aRoom(t)
    const [some, less] = [begin(), begin()]
    await some.send(50)
    await less.send(49)
    assert.deepEqual([moving.goesOn(some.socket), moving.goesOn(less.socket)], [true, false])
    assert.equal(moving.goesOn(new PassThrough()), false, 'a body that is not large')
  })

  it('is cut off when less than enough comes within a window', async (t) => {
    const { moving, cut, pass, begin } = aRoom(t)
    const body = begin()
    await body.send(50)
    moving.goesOn(body.socket)
    for (let window = 0; window < 3; window++) {
      pass(90)
      await body.send(50)
      pass(10)
      assert.deepEqual(cut, [])
    }
    await body.send(49)
    pass(90)
    assert.deepEqual(cut, [])
    pass(10)
    assert.deepEqual(cut, [body.socket])
  })

  it('is cut off in the end, however fast it moves', async (t) => {
    const { moving, cut, pass, begin } = aRoom(t)
    const body = begin()
    await body.send(50)
    moving.goesOn(body.socket)
    for (let ms = 0; ms < TIMES.totalMs - 50; ms += 50) {
      await body.send(50)
      pass(50)
    }
    assert.deepEqual(cut, [])
    await body.send(50)
    pass(50)
    assert.deepEqual(cut, [body.socket])
  })

  it('gives way to another, the oldest first; one in its time never does', async (t) => {
    const { moving, cut, begin } = aRoom(t)
    const bodies = [begin(), begin(), begin()]
    for (const body of bodies) await body.send(50)
    assert.equal(moving.giveWay(), false)
    for (const body of bodies.slice(0, 2)) moving.goesOn(body.socket)
    assert.deepEqual([moving.giveWay(), moving.giveWay(), moving.giveWay()], [true, true, false])
    assert.deepEqual(cut, [bodies[0]?.socket, bodies[1]?.socket])
  })

  it('is forgotten once it has come', async (t) => {
    const { moving, cut, pass, begin } = aRoom(t)
    const body = begin()
    await body.send(50)
    moving.goesOn(body.socket)
    await body.end()
    pass(500)
    assert.deepEqual([cut, moving.giveWay()], [[], false])
  })
})
