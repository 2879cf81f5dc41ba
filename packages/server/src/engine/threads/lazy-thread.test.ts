/** A thread that is begun when it is needed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EngineThread } from './engine-thread.ts'
import { LazyThread } from './lazy-thread.ts'
import { remotePort } from './remote.ts'

interface Echo {
  say(text: string): Promise<string>
  count(): Promise<number>
}

function aThread() {
  const begun = { count: 0, failures: 0, closed: 0 }
  const thread = new LazyThread(async () => {
    if (begun.failures-- > 0) throw new Error('no memory')
    begun.count++
    const port = <T extends object>() => remotePort<T>(async (method, args) => `${method} ${args.join()}`)
    // All that is asked of the thread.
    return { port, close: async () => void begun.closed++ } as unknown as EngineThread
  })
  return { begun, thread }
}

describe('a lazy thread', () => {
  it('is begun once, with the first call that needs it', async () => {
    const { begun, thread } = aThread()
    const port = thread.port<Echo>('echo', null, (method) =>
      method === 'count' && begun.count === 0 ? { answer: 0 } : null,
    )
    assert.equal(await port.count(), 0)
    assert.equal(begun.count, 0)
    assert.deepEqual(await Promise.all([port.say('a'), port.say('b')]), ['say a', 'say b'])
    assert.equal(begun.count, 1)
    await thread.close()
    assert.equal(begun.closed, 1)
  })

  it('is tried again after it could not be begun', async () => {
    const { begun, thread } = aThread()
    begun.failures = 1
    const port = thread.port<Echo>('echo', null)
    await assert.rejects(port.say('a'), /no memory/)
    assert.equal(await port.say('b'), 'say b')
  })

  it('is not begun once it was closed', async () => {
    const { begun, thread } = aThread()
    await thread.close()
    await assert.rejects(thread.port<Echo>('echo', null).say('a'), /closed/)
    assert.equal(begun.count, 0)
  })
})
