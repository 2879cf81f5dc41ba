import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { ErrataError } from '#base/errors.ts'
import { RemoteCaller, serveRemote } from './remote.ts'

/** Returns the error that a caller in another thread gets when a method there throws `thrown`. */
async function crossed(t: TestContext, thrown: unknown): Promise<Error> {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  serveRemote(port1, { store: { fail: () => Promise.reject(thrown) } })
  const store = new RemoteCaller(port2).port<{ fail(): Promise<void> }>('store')
  try {
    await store.fail()
  } catch (cause) {
    assert.ok(cause instanceof Error)
    return cause
  }
  return assert.fail('was not thrown')
}

class RowTooWide extends Error {
  override name = 'RowTooWide'
}

describe('an error of another thread', () => {
  const errors: readonly Error[] = [
    new Error('plain'),
    new TypeError('x is no function'),
    new RowTooWide('9'),
  ]
  for (const thrown of errors) {
    it(`keeps the name, message and stack of ${thrown.name}`, async (t) => {
      const { name, message, stack } = await crossed(t, thrown)
      assert.deepEqual(
        { name, message, stack },
        { name: thrown.name, message: thrown.message, stack: thrown.stack },
      )
    })
  }

  it('keeps the code of one from the catalogue', async (t) => {
    const error = await crossed(t, new ErrataError('store_full', 'no room'))
    assert.ok(error instanceof ErrataError)
    assert.deepEqual([error.name, error.code, error.message], ['ErrataError', 'store_full', 'no room'])
  })

  it('brings its causes along, as many as are reported', async (t) => {
    const chain = Array.from({ length: 9 }).reduceRight<Error | undefined>(
      (cause, _, index) => new RowTooWide(`${index}`, cause === undefined ? {} : { cause }),
      undefined,
    )
    const told: string[] = []
    for (let error: unknown = await crossed(t, chain); error instanceof Error; error = error.cause)
      told.push(`${error.name} ${error.message}`)
    assert.deepEqual(told, ['RowTooWide 0', 'RowTooWide 1', 'RowTooWide 2', 'RowTooWide 3', 'RowTooWide 4'])
    const coded = await crossed(t, new ErrataError('store_full', 'no room', { cause: new TypeError('x') }))
    assert.ok(coded instanceof ErrataError && coded.cause instanceof Error)
    assert.equal(coded.cause.name, 'TypeError')
  })

  it('is an Error whatever was thrown', async (t) => {
    const { name, message } = await crossed(t, 'a text')
    assert.deepEqual([name, message], ['Error', 'a text'])
  })
})

describe('a call that was given up', () => {
  it('is not begun any more: nobody waits for its answer', async (t) => {
    const { port1, port2 } = new MessageChannel()
    t.after(() => port1.close())
    const begun: string[] = []
    const caller = new RemoteCaller(port2)
    const store = caller.port<{ note(name: string): Promise<void> }>('store', 1)
    const patient = caller.port<{ note(name: string): Promise<void> }>('store', null)
    await assert.rejects(store.note('late'), /did not answer within 1 ms/)
    // The other end listens from here on: both messages wait for it.
    const answered = patient.note('in time')
    serveRemote(port1, {
      store: {
        note: async (name: string) => {
          begun.push(name)
        },
      },
    })
    await answered
    assert.deepEqual(begun, ['in time'])
  })
})
