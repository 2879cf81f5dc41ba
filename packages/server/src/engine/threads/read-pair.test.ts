/** The second read thread: when it is begun, what it answers, and when it is ended. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLog, silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { ReadPair } from './read-pair.ts'
import { remotePort } from './remote.ts'

interface Echo {
  say(text: string): Promise<string>
}

/** A thread that answers with its name once it is told to. */
function aThread(name: string) {
  const waiting: (() => void)[] = []
  const state = { ended: false, damage: null as string | null, closed: 0 }
  const port = <T extends object>() =>
    remotePort<T>(async (_, args) => {
      await new Promise<void>((resolve) => void waiting.push(resolve))
      return `${name} says ${args.join()}`
    })
  return {
    state,
    answerAll: () => {
      for (const answer of waiting.splice(0)) answer()
    },
    thread: {
      ...{ name, port, close: async () => void state.closed++ },
      get ended() {
        return state.ended
      },
      get damage() {
        return state.damage
      },
    },
  }
}

function aPair({ fails = 0, log = silentLog } = {}) {
  const [first, second] = [aThread('read'), aThread('read-2')]
  const begun = { count: 0 }
  const pair = new ReadPair({
    ...{ first: first.thread, log },
    beginSecond: async () => {
      begun.count++
      if (begun.count <= fails) throw new Error('no memory')
      return second.thread
    },
  })
  const port = pair.port<Echo>('control')
  const answered = async (asked: readonly Promise<string>[]) => {
    const all = Promise.all(asked)
    for (const { answerAll } of [first, second]) answerAll()
    return (await all).map((text) => text.split(' ')[0])
  }
  const ask = (count: number) => Array.from({ length: count }, (_, at) => port.say(String(at)))
  return { first, second, begun, pair, ask, answered }
}

const most = max('readSecondFrom')

describe('a second read thread', () => {
  it('is begun with the question that finds as many waiting, which does not wait for it', async () => {
    const { begun, ask, answered } = aPair()
    assert.deepEqual(await answered(ask(most)), Array(most).fill('read'))
    assert.equal(begun.count, 0)
    assert.deepEqual(await answered(ask(most + 2)), Array(most + 2).fill('read'))
    assert.equal(begun.count, 1)
  })

  it('answers what would wait behind more questions of the first', async () => {
    const { begun, ask, answered } = aPair()
    await answered(ask(most + 1))
    assert.deepEqual(await answered(ask(5)), ['read', 'read-2', 'read', 'read-2', 'read'])
    assert.deepEqual(await answered(ask(1)), ['read'])
    assert.equal(begun.count, 1)
  })

  it('leaves all to the first while it has ended itself, and its damage stays told', async () => {
    const { second, pair, ask, answered } = aPair()
    await answered(ask(most + 1))
    second.state.ended = true
    second.state.damage = 'a page is damaged'
    assert.deepEqual(await answered(ask(4)), Array(4).fill('read'))
    assert.equal(pair.ended, false)
    assert.equal(pair.damage, 'a page is damaged')
    second.state.ended = false
    assert.deepEqual(await answered(ask(2)), ['read', 'read-2'])
  })

  it('is ended when nobody needed it for long, and begun again when somebody does', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { second, begun, pair, ask, answered } = aPair()
    await answered(ask(most + 1))
    second.state.damage = 'a page is damaged'
    const asked = ask(2)
    t.mock.timers.tick(max('readSecondIdleMs'))
    assert.equal(second.state.closed, 0, 'it answers somebody')
    assert.deepEqual(await answered(asked), ['read', 'read-2'])
    t.mock.timers.tick(max('readSecondIdleMs') - 1)
    assert.equal(second.state.closed, 0)
    t.mock.timers.tick(1)
    assert.equal(second.state.closed, 1)
    assert.equal(pair.damage, 'a page is damaged')
    await answered(ask(most + 1))
    assert.equal(begun.count, 2)
    assert.deepEqual(await answered(ask(2)), ['read', 'read-2'])
  })

  it('that cannot be begun is told to the log and not tried at once; the first answers', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', thread: 'main', write: (line) => void lines.push(line) })
    const { begun, ask, answered } = aPair({ fails: 1, log })
    await answered(ask(most + 1))
    assert.deepEqual(await answered(ask(most + 1)), Array(most + 1).fill('read'))
    assert.equal(begun.count, 1)
    assert.match(lines.join(''), /a second read thread cannot be started.*no memory/)
  })

  it('is closed with the first, also while it begins', async () => {
    const { first, second, pair, ask, answered } = aPair()
    const asked = answered(ask(most + 1))
    await pair.close()
    await asked
    assert.deepEqual([first.state.closed, second.state.closed], [1, 1])
  })

  it('is none on a machine with one core', async () => {
    const first = aThread('read')
    const pair = new ReadPair({ first: first.thread, beginSecond: null, log: silentLog })
    const asked = Array.from({ length: most + 2 }, () => pair.port<Echo>('control').say('x'))
    first.answerAll()
    assert.deepEqual(await Promise.all(asked), Array(most + 2).fill('read says x'))
  })
})
