import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { orgId, type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import { scopeForTest } from '../../testing/builders/scope.ts'
import { KeptAnswers } from './kept-answers.ts'

const START_MS = 1_000 * MINUTE_MS
const RANGE = { startMs: START_MS + 1, endMs: START_MS + 2 }

function scopeOf(org: number, ...projects: readonly number[]): ReadScope {
  return scopeForTest({ orgId: orgId(org), projects: projects.map((id): ProjectId => projectId(id)) })
}

/** Figures that count how often they were read. */
function figures() {
  const clock = manualClock(START_MS)
  const kept = new KeptAnswers({ clock })
  const store = {
    reads: 0,
    fails: false,
    async counts(_scope: ReadScope, _query: object): Promise<{ readonly read: number }> {
      store.reads++
      if (store.fails) throw new Error('no answer')
      return { read: store.reads }
    },
    async list(_scope: ReadScope): Promise<number> {
      return ++store.reads
    },
  }
  return { clock, kept, store, port: kept.port(store, ['counts']) }
}

describe('kept answers', () => {
  const scope = scopeOf(1, 11, 12)

  it('are those of the same question, also while the first is being answered', async () => {
    const { port, store } = figures()
    const both = await Promise.all([port.counts(scope, RANGE), port.counts(scope, RANGE)])
    assert.deepEqual(both, [{ read: 1 }, { read: 1 }])
    assert.deepEqual(await port.counts(scope, { ...RANGE, endMs: RANGE.endMs + 1 }), { read: 1 })
    assert.equal(store.reads, 1)
    await port.list(scope)
    await port.list(scope)
    assert.equal(store.reads, 3, 'other methods are asked each time')
  })

  const OTHERS: readonly (readonly [what: string, scope: ReadScope, query: object])[] = [
    ['another organisation', scopeOf(2, 11, 12), RANGE],
    ['fewer projects', scopeOf(1, 11), RANGE],
    ['a guest', { ...scope, isGuest: true }, RANGE],
    ['another kind', scope, { ...RANGE, kind: 'action' }],
    ['the next minute', scope, { ...RANGE, endMs: RANGE.endMs + MINUTE_MS }],
    ['a range that ends on the minute', scope, { ...RANGE, endMs: START_MS }],
  ]
  for (const [what, asker, query] of OTHERS)
    it(`are not those of ${what}`, async () => {
      const { port } = figures()
      await port.counts(scope, RANGE)
      assert.deepEqual(await port.counts(asker, query), { read: 2 })
    })

  it('are read anew in the next minute, as hours and ages go on', async () => {
    const { port, clock } = figures()
    await port.counts(scope, RANGE)
    clock.advance(MINUTE_MS - 1)
    assert.deepEqual(await port.counts(scope, RANGE), { read: 1 })
    clock.advance(1)
    assert.deepEqual(await port.counts(scope, RANGE), { read: 2 })
  })

  it('are forgotten with what is stored for their organisation, and stay for others', async () => {
    const { port, kept } = figures()
    const other = scopeOf(2, 21)
    await port.counts(scope, RANGE)
    await port.counts(other, RANGE)
    kept.forget(new Set([orgId(1)]))
    assert.deepEqual(await port.counts(scope, RANGE), { read: 3 })
    assert.deepEqual(await port.counts(other, RANGE), { read: 2 })
    kept.forgetAll()
    assert.deepEqual(await port.counts(other, RANGE), { read: 4 })
  })

  it('are not those that were begun before something changed', async () => {
    const { port, kept } = figures()
    const begun = port.counts(scope, RANGE)
    kept.forget(new Set([orgId(1)]))
    assert.deepEqual(await begun, { read: 1 })
    assert.deepEqual(await port.counts(scope, RANGE), { read: 2 })
  })

  it('are not kept where there is none', async () => {
    const { port, store } = figures()
    store.fails = true
    await assert.rejects(port.counts(scope, RANGE), /no answer/)
    store.fails = false
    assert.deepEqual(await port.counts(scope, RANGE), { read: 2 })
  })

  it('are bounded: the oldest goes, and a question that is too long is answered each time', async () => {
    const { port, store } = figures()
    for (let at = 0; at <= max('keptAnswersMax'); at++) await port.counts(scope, { at })
    assert.deepEqual(await port.counts(scope, { at: 1 }), { read: 2 })
    assert.deepEqual(await port.counts(scope, { at: 0 }), { read: store.reads })
    const long = { text: 'x'.repeat(max('keptQuestionChars')) }
    const before = store.reads
    await port.counts(scope, long)
    await port.counts(scope, long)
    assert.equal(store.reads, before + 2)
  })
})
