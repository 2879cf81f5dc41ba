/**
 * Checks what must hold at the end of every run: acknowledged = stored + counted, nothing twice, stores
 * agree.
 */

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../packages/server/src/base/clock.ts'
import { dayOf, orgId, projectId, seq } from '../../packages/server/src/base/ids.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import { openFairJournal, overflowPath } from '../../packages/server/src/journal/fair-journal.ts'
import { KINDS } from '../../packages/server/src/kinds/kinds.ts'
import { SPAN } from '../../packages/server/src/kinds/span/fields.ts'
import type { RowValues } from '../../packages/server/src/model/fields.ts'
import { deepCheck } from '../../packages/server/src/store/embedded/care/deep-check.ts'
import { openControlReader } from '../../packages/server/src/store/sqlite/control-reader.ts'
import { scopeForTest } from '../../packages/server/testing/builders/scope.ts'
import { NOW } from '../../packages/server/testing/builders/times.ts'
import type { House } from '../../packages/server/testing/worlds/stores.ts'
import type { Life } from './life.ts'
import type { Kind, Sent } from './traffic.ts'

export interface Allowance {
  /** Threads that died or hung by accident: each may have cost a neighbour of a deadly event its last try. */
  readonly accidents: number
  /** Bytes of the journal were flipped: what lay there is counted as damaged, of whatever kind it was. */
  readonly journalFlipped: boolean
  /** Payload files were flipped: stored events of theirs cannot be shown. */
  readonly payloadsFlipped: boolean
}

const DAY_MS = 86_400_000

export async function checkLife(life: Life, sent: readonly Sent[], allowed: Allowance): Promise<void> {
  const counts = await outcomes(life.house, sent)
  const rows = await storedIds(life.house)
  checkIds([...rows.errors, ...rows.spans], sent, allowed)
  checkCounts(counts, { sent, stored: rows.errors.length + rows.spans.length, allowed })
  await checkStores(life.house, { stored: rows.errors.length, allowed })
  await checkFigures(life.house, sent, rows.spans.length)
  await checkQuarantine(life.house)
}

/** While the journal can keep nothing, every sender is told to come back. */
export function checkRefusals(sent: readonly Sent[]): void {
  for (const { kind, status, retryAfter } of sent) {
    if (kind !== 'event' && kind !== 'repeat') continue
    assert.equal(status, 503, 'an event is not refused that nobody can keep')
    assert.ok((retryAfter ?? 0) > 0, 'a refusal does not say when to come back')
  }
}

/** After a stop: the next start is offered nothing again, and at most the file that is being written is left. */
export async function checkJournal(directory: string, clock: Clock): Promise<void> {
  const control = openControlReader({ path: join(directory, 'control.sqlite'), clock, log: silentLog })
  const { appliedSeq, appliedOverflow } = await control.counters()
  await control.close()
  const folder = join(directory, 'journal')
  const journal = await openFairJournal({
    ...{ directory: folder, clock, appliedSeq, appliedOverflow, log: silentLog },
  })
  try {
    await journal.recovered()
    assert.equal(journal.takeRange(1_000, 1_000_000), null, 'the journal offers something again')
    assert.equal(journal.backlog().records, 0)
    for (const log of [folder, overflowPath(folder)]) {
      const left = (await readdir(log)).filter((name) => name.endsWith('.log'))
      assert.ok(left.length <= 1, `the journal keeps ${left.join(', ')}`)
    }
  } finally {
    await journal.close()
  }
}

interface StoredIds {
  readonly errors: readonly string[]
  /** Trace ids of stored spans. */
  readonly spans: readonly string[]
}

async function storedIds(house: House): Promise<StoredIds> {
  const [errors, spans]: [string[], string[]] = [[], []]
  for (const file of await house.telemetry.files()) {
    for (let after = seq(0); ; ) {
      const rows = await house.telemetry.rows(file, after, 500)
      const isSpans = file.kind === SPAN
      const ids = rows.map((row: RowValues) => `${row.projectId}:${isSpans ? row.traceId : row.eventId}`)
      if (isSpans) spans.push(...ids)
      else errors.push(...ids)
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.seq
    }
  }
  return { errors, spans }
}

function checkIds(rows: readonly string[], sent: readonly Sent[], allowed: Allowance): void {
  assert.equal(new Set(rows).size, rows.length, 'an event is stored twice')
  const events = sent.filter(({ kind }) => kind === 'event' || kind === 'repeat')
  const known = new Set(events.map(nameOf))
  const stray = rows.filter((row) => !known.has(row))
  assert.deepEqual(stray, [], 'something is stored that nobody sent')
  const stored = new Set(rows)
  const kept = new Set(events.filter(({ answer }) => answer === 'kept').map(nameOf))
  const missing = [...kept].filter((name) => !stored.has(name))
  if (allowed.journalFlipped) return // which of them is not known; how many is, and `checkCounts` compares it
  assert.deepEqual(missing.slice(allowed.accidents), [], 'acknowledged events are missing')
}

const COUNTED_AS: Readonly<Record<Kind, string | null>> = {
  event: 'event',
  repeat: 'event',
  invalid: 'invalid invalid_json',
  report: 'client_discard sample_rate',
  poison: 'invalid quarantined',
  deadly: 'invalid quarantined',
  hanging: 'invalid quarantined',
  broken: null,
}
const QUANTITY: Partial<Record<Kind, number>> = { report: 3 }

function checkCounts(
  counts: ReadonlyMap<string, number>,
  { sent, stored, allowed }: { sent: readonly Sent[]; stored: number; allowed: Allowance },
): void {
  const count = (name: string) => counts.get(name) ?? 0
  assert.equal(count('accepted null'), stored, 'accepted is what is stored')
  const found: Record<string, number> = {
    event: stored + count('invalid duplicate'),
    'invalid invalid_json': count('invalid invalid_json'),
    'client_discard sample_rate': count('client_discard sample_rate'),
    'invalid quarantined': count('invalid quarantined'),
  }
  let missing = 0
  for (const [name, quantity] of Object.entries(found)) {
    const of = sent.filter(({ kind }) => COUNTED_AS[kind] === name)
    const each = name.startsWith('client') ? (QUANTITY.report ?? 1) : 1
    const kept = of.filter(({ answer }) => answer === 'kept').length
    const isAside = name === 'invalid quarantined'
    const most = of.length * each + (isAside ? allowed.accidents : 0)
    const least = kept * each - (isAside ? 0 : allowed.accidents * each)
    missing += Math.max(0, kept - quantity / each)
    assert.ok(quantity <= most, `${name}: ${quantity} counted, ${of.length} sent`)
    if (!allowed.journalFlipped)
      assert.ok(quantity >= least, `${name}: ${quantity} counted, ${kept} acknowledged`)
  }
  const damaged = count('invalid journal_damaged')
  // After power was lost nobody can tell what was torn and refused from what was kept and damaged.
  const refused = sent.filter(({ answer }) => answer !== 'kept').length
  if (!allowed.journalFlipped) assert.ok(damaged <= refused, 'damage is counted where there is none')
  assert.ok(
    missing <= damaged + allowed.accidents,
    `${missing} acknowledged are neither stored nor counted, but ${damaged} counted as damaged`,
  )
}

async function outcomes(house: House, sent: readonly Sent[]): Promise<ReadonlyMap<string, number>> {
  const projects = [...new Set(sent.map((one) => one.projectId))].map(projectId)
  const { groups } = await house.reader.outcomes(scopeForTest({ orgId: orgId(1), projects }), {
    ...{ startMs: 0, endMs: Date.now() + 400 * DAY_MS, intervalMs: null, projects: null, keys: null },
    groupBy: ['outcome', 'reason'],
  })
  const counts = new Map(groups.map((group) => [`${group.outcome} ${group.reason}`, group.total]))
  for (const { reason, quantity } of (
    await house.reader.withoutProject({ refusedSinceMs: 0, lostSinceMs: 0 })
  ).refused) {
    counts.set(`invalid ${reason}`, (counts.get(`invalid ${reason}`) ?? 0) + quantity)
  }
  return counts
}

async function checkStores(
  house: House,
  { stored, allowed }: { stored: number; allowed: Allowance },
): Promise<void> {
  const { eventsStored, appliedSeq } = await house.reader.counters()
  assert.equal(eventsStored, stored, 'the control store counts what is stored')
  const findings = await deepCheck({
    ...{
      kinds: KINDS,
      control: house.reader,
      appliedSeq,
      hidden: await house.control.hidden(),
      today: dayOf(NOW),
    },
    ...{ segments: house.segments, telemetry: house.telemetry, eventIds: house.eventIds },
  })
  const wrong = findings.filter(({ ok }) => !ok)
  if (!allowed.payloadsFlipped) assert.deepEqual(wrong, [])
}

/** Each request that is stored is in the figures, once. */
async function checkFigures(house: House, sent: readonly Sent[], stored: number): Promise<void> {
  const projects = [...new Set(sent.map((one) => one.projectId))].map(projectId)
  const query = { projects: null, startMs: 0, endMs: Date.now() + 400 * DAY_MS }
  const { count } = await house.reader.requestFigures(scopeForTest({ orgId: orgId(1), projects }), query)
  assert.equal(count, stored, 'requests are counted that are not stored, or twice, or not at all')
}

async function checkQuarantine(house: House): Promise<void> {
  const known = (await house.reader.quarantined()).map((one) => `quarantine/${one.seq}`).sort()
  const kept = (await house.blobs.list('quarantine/')).map(({ name }) => name).sort()
  for (const name of known) assert.ok(kept.includes(name), `${name} is listed, but not kept`)
}

function nameOf({ projectId: project, eventId }: Sent): string {
  return `${project}:${eventId}`
}
