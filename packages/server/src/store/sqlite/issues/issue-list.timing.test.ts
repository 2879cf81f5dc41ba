import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog as log } from '#base/log.ts'
import type { IssueFilter, IssueSort } from '#ports/issues.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { aWorld } from '#testing/contract/control/world.ts'
import { openControlReader } from '../control-reader.ts'
import { openControlWriter } from '../control-writer.ts'

const ISSUES = 20_000
const TAGS_MORE = Object.fromEntries(
  Array.from({ length: 14 }, (_, index) => [`tag.${index}`, `value ${index}`]),
)

const FILTERS: readonly (readonly [string, IssueSort, Partial<IssueFilter>])[] = [
  ['by date', 'date', {}],
  ['unresolved, by date', 'date', { status: ['unresolved'] }],
  ['unresolved of 24 h, by date', 'date', { status: ['unresolved'], startMs: NOW - DAY }],
  ['by users', 'user', { status: ['unresolved'] }],
  ['by events in 14 days', 'freq', { startMs: NOW - 14 * DAY }],
  ['by events in 24 h', 'freq', { startMs: NOW - DAY }],
  ['a range in the past', 'date', { startMs: NOW - 14 * DAY, endMs: NOW - 7 * DAY }],
  ['a rare text', 'date', { text: [{ value: 'number 1234', negated: false }] }],
  ['a text of all', 'date', { text: [{ value: 'Error', negated: false }] }],
  ['a short text', 'date', { text: [{ value: '99', negated: false }] }],
  ['a negated text', 'date', { text: [{ value: 'number 12', negated: true }] }],
  ['a tag of nearly all', 'date', { tags: [{ key: 'environment', value: 'production', negated: false }] }],
  ['a tag of few', 'date', { tags: [{ key: 'release', value: 'shop@1.7', negated: false }] }],
  ['a prefix of all', 'date', { tags: [{ key: 'release', value: 'shop@*', negated: false }] }],
  ['a negated tag', 'date', { tags: [{ key: 'environment', value: 'production', negated: true }] }],
  ['presence of a tag', 'date', { tags: [{ key: 'tag.3', value: null, negated: false }] }],
  ['absence of a tag', 'date', { tags: [{ key: 'rare', value: null, negated: true }] }],
]

it(`lists ${ISSUES} issues quickly (printed, not asserted: machines differ)`, async (test) => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-list-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  const write = openControlWriter({ path, clock, log })
  const read = openControlReader({ path, clock, log })
  const world = await aWorld({ write, read, close: async () => {} })
  const perBatch = 1_000
  const started = performance.now()
  for (let first = 0; first < ISSUES; first += perBatch / 2) {
    const events = Array.from({ length: perBatch }, (_, index) => {
      const number = first + Math.floor(index / 2)
      return anEvent({
        projectId: number % 3 === 0 ? world.blog : world.shop,
        group: `number ${number}`,
        timestampMs: NOW - ((number * 7_919) % (20 * 24)) * HOUR - (index % 2) * 5 * HOUR,
        user: `id:${number % 500}`,
        tags: {
          ...TAGS_MORE,
          environment: number % 10 === 0 ? 'staging' : 'production',
          release: `shop@1.${number % 40}`,
        },
      })
    })
    await write.applyBatch(aBatch(first * 2 + 1, events))
  }
  test.diagnostic(
    `applied ${ISSUES * 2} events in ${ISSUES} groups: ${(((performance.now() - started) / ISSUES / 2) * 1_000).toFixed(0)} µs an event`,
  )
  const tags = { ...TAGS_MORE, environment: 'production', release: 'shop@1.7' }
  const few = Array.from({ length: 1_000 }, (_, index) =>
    anEvent({ projectId: world.shop, group: `number ${(index % 20) * 3 + 1}`, tags, user: `id:${index}` }),
  )
  for (const round of [1, 2]) {
    const before = performance.now()
    await write.applyBatch(aBatch(1_000_000 * round, few))
    test.diagnostic(
      `a batch of 1,000 events in 20 known groups: ${(performance.now() - before).toFixed(1)} ms`,
    )
  }
  for (const [name, sort, change] of FILTERS) {
    const filter = aFilter(change)
    const page = { sort, limit: 25, cursor: null }
    const { nextCursor, total } = await read.list(world.scope, filter, page)
    assert.ok(total > 0 && total <= ISSUES, `${name} finds ${total}`)
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const before = performance.now()
      await read.list(world.scope, filter, { ...page, cursor: round % 2 === 0 ? null : nextCursor })
      times.push(performance.now() - before)
    }
    test.diagnostic(`${name}: ${times.sort((a, b) => a - b)[2]?.toFixed(1)} ms, ${total} found`)
  }
  const before = performance.now()
  await read.countByStatus(world.scope, aFilter())
  test.diagnostic(`tabs: ${(performance.now() - before).toFixed(1)} ms`)
  await read.close()
  await write.close()
})
