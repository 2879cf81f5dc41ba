import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { day, seq } from '#base/ids.ts'
import { BLOG, GROUP_A, GROUP_B, SHOP } from '#testing/builders/ids.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { HiddenRules, isPast, NOTHING_HIDDEN } from './hidden.ts'

const TODAY = day(20_000)
const FILE = { kind: 'error', day: TODAY, retentionDays: 90 } as const
const DELETED = seq(100)
/** The last but one, the last and the first after a deletion. */
const SEQS = [99, 100, 101]

const hiddenBy = (
  hidden: Partial<typeof NOTHING_HIDDEN>,
  row: Partial<ReturnType<typeof anEventRow>> = {},
) => {
  const rules = new HiddenRules({ ...NOTHING_HIDDEN, ...hidden }, TODAY)
  const of = { projectId: SHOP, groupHash: GROUP_A, people: ['id:7'], ...row }
  return SEQS.map((at) => rules.hides(anEventRow({ ...of, seq: seq(at) }), FILE))
}

describe('what is hidden', () => {
  const project = { projectId: SHOP, hash: null, upToSeq: DELETED }
  const group = { projectId: SHOP, hash: GROUP_A, upToSeq: DELETED }
  const person = { projectId: SHOP, person: 'id:7', upToSeq: DELETED }

  it('is every row of a deleted project up to the last before its deletion', () => {
    assert.deepEqual(hiddenBy({ tombstones: [project] }), [true, true, false])
    assert.deepEqual(hiddenBy({ tombstones: [project] }, { projectId: BLOG }), [false, false, false])
    const rules = new HiddenRules({ ...NOTHING_HIDDEN, tombstones: [project] }, TODAY)
    const goes = SEQS.map((at) => rules.hidesProject({ seq: seq(at), projectId: SHOP }, FILE))
    assert.deepEqual(goes, [true, true, false])
  })

  it('is every row of a deleted group up to the last before its deletion', () => {
    assert.deepEqual(hiddenBy({ tombstones: [group] }), [true, true, false])
    assert.deepEqual(hiddenBy({ tombstones: [group] }, { groupHash: GROUP_B }), [false, false, false])
  })

  it('is every row of a deleted person up to the last before the deletion', () => {
    assert.deepEqual(hiddenBy({ people: [person] }), [true, true, false])
    assert.deepEqual(hiddenBy({ people: [person] }, { people: ['id:8'] }), [false, false, false])
  })

  for (const newest of ['first', 'last'] as const)
    it(`goes by the newest of two deletions, which is named ${newest}`, () => {
      const order = <T extends object>(one: T) => {
        const two = [one, { ...one, upToSeq: seq(50) }]
        return newest === 'first' ? two : two.toReversed()
      }
      assert.deepEqual(hiddenBy({ tombstones: order(project) }), [true, true, false])
      assert.deepEqual(hiddenBy({ tombstones: order(group) }), [true, true, false])
      assert.deepEqual(hiddenBy({ people: order(person) }), [true, true, false])
    })

  it('is a day when it is older than its period, not on the last day of it', () => {
    const ages = [9, 10, 11].map((ago) => isPast(day(TODAY - ago), 10, TODAY))
    assert.deepEqual(ages, [false, false, true])
  })

  it('goes by the period of its kind before that of all kinds', () => {
    const of = (kind: 'error' | null, days: number) => ({ projectId: SHOP, kind, days })
    const rules = new HiddenRules({ ...NOTHING_HIDDEN, periods: [of(null, 5), of('error', 10)] }, TODAY)
    const past = [9, 10, 11].map((ago) => rules.isPastPeriod(SHOP, { ...FILE, day: day(TODAY - ago) }))
    assert.deepEqual(past, [false, false, true])
  })
})
