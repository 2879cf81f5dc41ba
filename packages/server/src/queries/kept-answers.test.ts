import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { orgId, type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type ChangedFigures, NO_FIGURES_CHANGED } from '#ports/ingest.ts'
import type { ReadScope } from '#ports/scope.ts'
import { scopeForTest } from '../../testing/builders/scope.ts'
import { KeptAnswers, OF_HOURS, OF_RELEASES, OF_STALE_CLICKS } from './kept-answers.ts'

const START_MS = 1_000 * MINUTE_MS
const RANGE = { startMs: START_MS + 1, endMs: START_MS + 2 }

function scopeOf(org: number, ...projects: readonly number[]): ReadScope {
  return scopeForTest({ orgId: orgId(org), projects: projects.map((id): ProjectId => projectId(id)) })
}

const ALL: ChangedFigures = { requestHours: new Set([16]), hasStaleClicks: true, hasNewReleases: true }

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
  return { clock, kept, store, port: kept.port(store, { counts: OF_RELEASES }) }
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
    kept.forget(new Set([orgId(1)]), ALL)
    assert.deepEqual(await port.counts(scope, RANGE), { read: 3 })
    assert.deepEqual(await port.counts(other, RANGE), { read: 2 })
    kept.forgetAll()
    assert.deepEqual(await port.counts(other, RANGE), { read: 4 })
  })

  it('are not those that were begun before something changed', async () => {
    const { port, kept } = figures()
    const begun = port.counts(scope, RANGE)
    kept.forget(new Set([orgId(1)]), ALL)
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

  /** Hours 10 and 11. */
  const HOURS = { startMs: 10.5 * HOUR_MS, endMs: 12 * HOUR_MS }
  const CHANGES: readonly (readonly [what: string, changed: Partial<ChangedFigures>, forgotten: string])[] = [
    ['nothing of it', {}, ''],
    ['the hour before', { requestHours: new Set([9]) }, 'releases'],
    ['its first hour', { requestHours: new Set([9, 10]) }, 'hours releases'],
    ['its last hour', { requestHours: new Set([11, 40]) }, 'hours releases'],
    ['the hour behind', { requestHours: new Set([12]) }, 'releases'],
    ['a stale click', { hasStaleClicks: true }, 'stale'],
    ['a release', { hasNewReleases: true }, 'stale releases'],
  ]
  for (const [what, changed, forgotten] of CHANGES)
    it(`are forgotten as far as a batch may change them: ${what}`, async () => {
      const { kept, store } = figures()
      const ports = {
        hours: kept.port({ hours: store.counts }, { hours: OF_HOURS }).hours,
        stale: kept.port({ stale: store.counts }, { stale: OF_STALE_CLICKS }).stale,
        releases: kept.port({ releases: store.counts }, { releases: OF_RELEASES }).releases,
      }
      const ask = () => Promise.all(Object.values(ports).map((read) => read(scope, HOURS)))
      const before = await ask()
      kept.forget(new Set([orgId(1)]), { ...NO_FIGURES_CHANGED, ...changed })
      const after = await ask()
      const anew = Object.keys(ports).filter((_, at) => after[at] !== before[at])
      assert.equal(anew.join(' '), forgotten)
    })

  it('of whole hours are kept until the hour ends, whatever the minute', async () => {
    const { kept, clock, store } = figures()
    const { counts } = kept.port(store, { counts: OF_HOURS })
    const now = () => ({ startMs: clock.now() - 24 * HOUR_MS, endMs: clock.now() })
    clock.advance(HOUR_MS - (START_MS % HOUR_MS) + 1)
    await counts(scope, now())
    clock.advance(HOUR_MS - 2)
    assert.deepEqual(await counts(scope, now()), { read: 1 })
    clock.advance(1)
    assert.deepEqual(await counts(scope, now()), { read: 2 }, 'on the hour the range has one hour less')
    clock.advance(1)
    assert.deepEqual(await counts(scope, now()), { read: 3 })
  })
})
