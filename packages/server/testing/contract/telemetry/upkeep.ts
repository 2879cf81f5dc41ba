import assert from 'node:assert/strict'
import { it } from 'node:test'
import { day, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import { BLOG, eventIdOf, GROUP_A, GROUP_B, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

const FILE: FileName = { kind: 'error', day: day(FIRST_DAY + 40), retentionDays: 90 }
const OTHER: FileName = { kind: 'error', day: day(FIRST_DAY + 41), retentionDays: 30 }
const CHANGED: FileName = { kind: 'error', day: day(FIRST_DAY + 43), retentionDays: 90 }
const LATER: FileName = { kind: 'error', day: day(FIRST_DAY + 42), retentionDays: 90 }

function row(number: number, change: Partial<EventRow> = {}): EventRow {
  return anEventRow({
    ...placeInFile(FILE),
    seq: seq(number),
    eventId: eventIdOf(number),
    people: [],
    user: null,
    ...change,
  })
}

const ROWS = [
  row(1, { groupHash: GROUP_B, people: ['id:1'], user: 'id:1' }),
  row(2, { people: ['id:1', 'email:a@b.c'], user: 'id:1' }),
  row(3, { people: ['id:2'], user: 'id:2' }),
  row(4, { projectId: BLOG, people: ['id:1'], user: 'id:1' }),
  row(5, { people: [], user: 'id:1', groupHash: GROUP_B }),
]
const GROUPS = [SHOP, BLOG].flatMap((projectId) => [GROUP_A, GROUP_B].map((hash) => ({ projectId, hash })))

/** Hiding people and periods, counting, rewriting and removing files. */
export function upkeepTests({ store, reopen, append }: StoreUnderTest): void {
  const shown = async (files: readonly FileName[] = [FILE]) => {
    const page = await store().events(
      aScope(SHOP, BLOG),
      { groups: GROUPS, files },
      { limit: 100, cursor: null },
    )
    return page.rows.map((each) => Number(each.seq)).sort((a, b) => a - b)
  }
  const today = day(FIRST_DAY + 50)

  it('hides a person’s events of one project up to a seq, and counts them', async () => {
    await append(ROWS, seq(5))
    const { events, groups, people: named } = await store().personEvents(SHOP, 'id:1')
    assert.equal(events, 2)
    assert.deepEqual(named, ['id:1', 'email:a@b.c'])
    // Event 5 bears the name without naming the person: it stays, and so does the name there.
    assert.deepEqual(Object.fromEntries(groups.map(({ hash, users }) => [hash, users])), {
      [GROUP_A]: ['id:1'],
      [GROUP_B]: [],
    })
    const people = [{ projectId: SHOP, person: 'id:1', upToSeq: seq(1) }]
    await store().setHidden({ ...NOTHING_HIDDEN, people })
    assert.deepEqual(await shown(), [2, 3, 4, 5])
    await store().setHidden({
      ...NOTHING_HIDDEN,
      people: [...people, { projectId: SHOP, person: 'id:1', upToSeq: seq(9) }],
    })
    assert.deepEqual(await shown(), [3, 4, 5])
    assert.equal((await store().personEvents(SHOP, 'id:1')).events, 0)
    assert.equal((await store().personEvents(SHOP, 'email:a@b.c')).events, 0)
    assert.equal((await store().personEvents(BLOG, 'id:1')).events, 1)
    assert.deepEqual((await store().personEvents(SHOP, 'id:1')).people, [])
    assert.equal(await store().event(aScope(SHOP), FILE, SHOP, eventIdOf(2)), null)
    await store().setHidden(NOTHING_HIDDEN)
  })

  it('counts what rules hide, and rewrites a file without it', async () => {
    const hidden = {
      tombstones: [{ projectId: SHOP, hash: GROUP_B, upToSeq: seq(4) }],
      people: [{ projectId: SHOP, person: 'id:2', upToSeq: seq(5) }],
      periods: [{ projectId: BLOG, kind: null, days: 5 }],
    }
    const rules = new HiddenRules(hidden, today)
    assert.deepEqual(await store().countRows(FILE, rules), { rows: 5, hidden: 3 })
    await append([row(6), row(7, { groupHash: GROUP_B })], seq(7))
    await store().rewrite(FILE, { rules, upToSeq: seq(5) })
    assert.deepEqual(await shown(), [2, 5, 6, 7])
    assert.equal(await store().fileSeq(FILE), 7)
    // A batch that comes again is known, one that is taken back goes.
    await append([row(7, { groupHash: GROUP_B })], seq(7))
    await store().removeBeyond(seq(6))
    assert.deepEqual(await shown(), [2, 5, 6])
    await append([row(8)], seq(8))
    const reopened = await reopen()
    assert.equal(await reopened.fileSeq(FILE), 8)
    assert.deepEqual(await shown(), [2, 5, 6, 8])
    const stored = await reopened.rows(FILE, seq(0), 100)
    assert.deepEqual(stored[0], ROWS[1])
  })

  it('rewrites a file with rows as they are from now on, but none that came since', async () => {
    const missed = (number: number) => row(number, { missedMaps: 'm', title: 'before' })
    const before = [...Array.from({ length: 4 }, (_, at) => ({ ...missed(at + 1), ...placeInFile(CHANGED) }))]
    await append(before, seq(4))
    const values = { title: "=it's", culprit: '', missedMaps: null }
    const changes = [2, 4, 9].map((number) => ({
      ...{ projectId: number === 9 ? BLOG : SHOP, eventId: eventIdOf(number) },
      ...{ payload: new Uint8Array(), values },
    }))
    const rules = new HiddenRules(NOTHING_HIDDEN, today)
    await store().rewrite(CHANGED, { rules, upToSeq: seq(3), changes })
    const after = before.map((each) => (each.seq === 2 ? { ...each, ...values } : each))
    assert.deepEqual(await store().rows(CHANGED, seq(0), 10), after)
    await store().remove(CHANGED)
  })

  it('rewrites a file while it is read and appended to', async () => {
    const rules = new HiddenRules(NOTHING_HIDDEN, today)
    const before = await shown()
    const reading = Array.from({ length: 20 }, () => shown())
    const rewriting = store().rewrite(FILE, { rules, upToSeq: seq(8) })
    const appending = append([row(9)], seq(9))
    const answers = await Promise.all(reading)
    await Promise.all([rewriting, appending])
    for (const answer of answers)
      assert.deepEqual(
        answer.filter((each) => each !== 9),
        before,
      )
    assert.deepEqual(await shown(), [...before, 9])
  })

  it('removes a file and nothing else, and makes none by reading', async () => {
    await append([anEventRow({ ...placeInFile(OTHER), seq: seq(10) })], seq(10))
    assert.ok((await store().fileBytes()).some(({ file, bytes }) => file.day === OTHER.day && bytes > 0))
    await store().remove(OTHER)
    await store().remove(OTHER)
    assert.deepEqual(await shown([OTHER]), [])
    assert.equal(await store().fileSeq(OTHER), 0)
    assert.ok((await store().files()).every((file) => file.day !== OTHER.day))
    assert.ok((await shown()).length > 0)
    await append([anEventRow({ ...placeInFile(OTHER), seq: seq(11) })], seq(11))
    assert.deepEqual(await shown([OTHER]), [11])
  })

  it('answers whom else a person’s events name, where no other event of the project does', async () => {
    const shared = ['ip:192.0.2.7', 'username:\u001d odd']
    await append(
      [
        row(101, { people: ['id:11', 'email:k@b.c', 'ip:192.0.2.8', ...shared] }),
        { ...row(102, { people: ['id:11', 'ip:192.0.2.9'] }), ...placeInFile(LATER) },
        row(103, { people: ['id:12', 'ip:192.0.2.7'] }),
        { ...row(104, { people: ['id:13', 'ip:192.0.2.8'] }), ...placeInFile(LATER) },
        row(105, { projectId: BLOG, people: ['ip:192.0.2.9'] }),
      ],
      seq(105),
    )
    const { people } = await store().personEvents(SHOP, 'id:11')
    assert.deepEqual(people.toSorted(), ['email:k@b.c', 'id:11', 'ip:192.0.2.9', 'username:\u001d odd'])
  })
}
