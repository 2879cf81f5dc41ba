import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { day, groupHash, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { EventFilter } from '#ports/telemetry.ts'
import { eventIdOf, GROUP_A, GROUP_B, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

const FILES = 90
const ROWS_PER_FILE = 6
const HOUR_MS = 3_600_000

/** 90 days; event times lag receipt by up to two days, and some are the same, so that files overlap in time. */
function manyRows(): EventRow[] {
  return Array.from({ length: FILES * ROWS_PER_FILE }, (_, index) => {
    const number = Math.floor(index / ROWS_PER_FILE)
    const lagHours = (index * 7) % 48
    return anEventRow({
      seq: seq(index + 1),
      day: day(FIRST_DAY + number),
      retentionDays: 90,
      groupHash: index % 3 === 0 ? GROUP_B : GROUP_A,
      eventId: eventIdOf((index * 7_919) % 1_009),
      timestampMs: (FIRST_DAY + number) * 24 * HOUR_MS - lagHours * HOUR_MS,
      tags: index % 2 === 0 ? [['even', 'yes']] : [],
    })
  })
}

export function pagingTests({ store, append }: StoreUnderTest): void {
  const rows = manyRows()
  const files: readonly FileName[] = Array.from({ length: FILES }, (_, index) => ({
    kind: 'error',
    day: day(FIRST_DAY + FILES - 1 - index),
    retentionDays: 90 as const,
  }))
  const filters: readonly [name: string, filter: EventFilter, meets: (row: EventRow) => boolean][] = [
    [
      'one group',
      { groups: [{ projectId: SHOP, hash: GROUP_A }], files },
      (row) => row.groupHash === GROUP_A,
    ],
    [
      'two groups',
      {
        groups: [
          { projectId: SHOP, hash: GROUP_A },
          { projectId: SHOP, hash: GROUP_B },
        ],
        files,
      },
      () => true,
    ],
    [
      'a tag of one group',
      {
        groups: [{ projectId: SHOP, hash: GROUP_B }],
        files,
        tags: [{ key: 'even', value: 'yes', negated: false }],
      },
      (row) => row.groupHash === GROUP_B && row.tags.length > 0,
    ],
  ]

  before(async () => {
    for (let at = 0; at < rows.length; at += 60) {
      const part = rows.slice(at, at + 60)
      await append(part, part.at(-1)?.seq ?? seq(0))
    }
  })

  for (const [name, filter, meets] of filters) {
    const wanted = rows.filter(meets).sort(newestFirst)

    for (const limit of [7, 100, 1_000]) {
      it(`pages through ${name} in 90 files, ${limit} at a time, each row once and in order`, async () => {
        const found: EventRow[] = []
        let cursor: string | null = null
        do {
          const page = await store().events(aScope(SHOP), filter, { limit, cursor })
          assert.ok(page.rows.length <= limit)
          assert.ok(page.nextCursor === null || page.rows.length === limit)
          found.push(...page.rows)
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepEqual(found, wanted)
      })
    }

    it(`knows the neighbours within ${name}`, async () => {
      const oldestFirst = [...wanted].reverse()
      for (const index of [0, 1, Math.floor(wanted.length / 2), wanted.length - 2, wanted.length - 1]) {
        const row = oldestFirst[index]
        assert.ok(row !== undefined)
        assert.deepEqual(await store().neighbours(aScope(SHOP), filter, row), {
          first: oldestFirst[0]?.eventId,
          previous: oldestFirst[index - 1]?.eventId ?? null,
          next: oldestFirst[index + 1]?.eventId ?? null,
          latest: oldestFirst.at(-1)?.eventId,
          position: index + 1,
          total: oldestFirst.length,
        })
      }
    })
  }

  it('answers at once many reads over more files than may be attached', async () => {
    const [, [, filter, meets]] = filters as [unknown, (typeof filters)[number]] // there are three
    const wanted = rows.filter(meets).sort(newestFirst).slice(0, 20)
    const pages = await Promise.all(
      Array.from({ length: 12 }, () => store().events(aScope(SHOP), filter, { limit: 20, cursor: null })),
    )
    for (const page of pages) assert.deepEqual(page.rows, wanted)
  })

  // Of the newer file three rows, of the older one the row between the first two: its file is looked into last.
  const apart: readonly (readonly [name: string, offsets: readonly [number, number, number, number]])[] = [
    ['a second', [900, 500, 100, 50]],
    ['a millisecond', [1.5, 0.75, 0.25, 0.125]],
    ['the same millisecond', [0.75, 0.5, 0.25, 0.125]],
    ['no time at all', [1, 0, 0, 0]],
  ]
  for (const [number, [name, offsets]] of apart.entries())
    it(`leaves out no row of another file that is within ${name} of the last of a page`, async () => {
      const hash = groupHash(`${number}`.repeat(32))
      const [later, sooner] = [day(FIRST_DAY + 200 + number * 2), day(FIRST_DAY + 199 + number * 2)]
      const first = rows.length + 1 + number * offsets.length
      const all = offsets.map((offset, place) =>
        anEventRow({
          ...{ seq: seq(first + place), day: place === 1 ? sooner : later, retentionDays: 90 },
          ...{ groupHash: hash, eventId: eventIdOf(2_000 + first + place) },
          timestampMs: later * 24 * HOUR_MS + offset,
        }),
      )
      await append(all, seq(first + all.length - 1))
      const named = [later, sooner].map((of) => ({ kind: 'error', day: of, retentionDays: 90 }) as const)
      const filter = { groups: [{ projectId: SHOP, hash }], files: named }
      for (const limit of [1, 2, 3, 4]) {
        const found: EventRow[] = []
        let cursor: string | null = null
        do {
          const page = await store().events(aScope(SHOP), filter, { limit, cursor })
          found.push(...page.rows)
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepEqual(found, all.toSorted(newestFirst), `${limit} at a time`)
      }
    })

  it('refuses a cursor that it did not give', async () => {
    const filter = { groups: [{ projectId: SHOP, hash: GROUP_A }], files }
    const wrong = [
      'x',
      '',
      'e30',
      'W10',
      Buffer.from('[1e999,"a",1]').toString('base64url'),
      'A'.repeat(9_999),
    ]
    for (const cursor of wrong) {
      await assert.rejects(store().events(aScope(SHOP), filter, { limit: 5, cursor }), {
        code: 'bad_request',
      })
    }
  })
}

function newestFirst(a: EventRow, b: EventRow): number {
  if (a.timestampMs !== b.timestampMs) return b.timestampMs - a.timestampMs
  if (a.eventId !== b.eventId) return a.eventId < b.eventId ? 1 : -1
  return b.seq - a.seq
}
