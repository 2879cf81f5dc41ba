/** Plan of a batch's writes to each store. Asks and decides; changes nothing. */
import { MINUTE_MS } from '#base/durations.ts'
import { assert } from '#base/errors.ts'
import { type EventId, type KeyId, keyId, type ProjectId, projectId, type Seq, seq } from '#base/ids.ts'
import type { ArrivedPart, KeepOptions, KeptPart, Kinds } from '#kinds/kind.ts'
import { eventIdAt, type RowColumns } from '#kinds/row-columns.ts'
import { max } from '#limits/limits.ts'
import type { KindHint, PayloadBlock } from '#model/batch.ts'
import { type FileName, isSameFile } from '#model/file-name.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { ControlBatch, ControlPart } from '#ports/ingest.ts'
import type { AppendedBlock, BlockEntry, EventIds, WrittenRow } from '#ports/telemetry.ts'
import type { ArrivedBatch } from '#process/transfer.ts'

export interface CommitPlan {
  readonly blocks: readonly AppendedBlock[]
  readonly rows: readonly WrittenRow[]
  readonly control: ControlBatch
  readonly ids: Parameters<EventIds['add']>[0]
  readonly storedRows: number
  readonly duplicates: number
  readonly hints: readonly KindHint[]
}

export interface PlanParts extends Pick<KeepOptions, 'control' | 'encoding'> {
  readonly kinds: Kinds
  readonly eventIds: Pick<EventIds, 'fresh'>
  /** Issues that may begin in an hour, per project; default `newIssuesPerHourMax` of the limits. */
  readonly newIssuesMax?: number
}

/** Outcomes are counted per minute of receipt: /system shows the last hour so. */

export async function planCommit(batch: ArrivedBatch, parts: PlanParts): Promise<CommitPlan> {
  const planned: PlannedPart[] = []
  for (const part of batch.parts) planned.push(await planPart(part, parts))
  const outcomes = [...batch.outcomes, ...planned.flatMap((part) => part.outcomes)]
  return {
    blocks: planned.flatMap((part) => part.blocks),
    rows: planned.flatMap((part) => part.rows),
    control: {
      firstSeq: batch.range.firstSeq,
      lastSeq: batch.range.lastSeq,
      ...(batch.range.isOverflow === true && {
        overflowUpTo: batch.range.lastSeq - (batch.range.shift ?? 0),
      }),
      parts: planned.map((part) => part.control).filter((part): part is ControlPart => part !== null),
      outcomes,
      keysUsed: keysUsed(outcomes),
      quarantined: batch.quarantined.map(
        ({ seq: at, projectId: of, receivedMs, reason, body, setAside = [] }) => ({
          seq: at,
          projectId: of,
          receivedMs,
          reason,
          bytes: body.length,
          setAside: setAside.map(({ name, bytes }) => ({ name, bytes })),
        }),
      ),
    },
    ids: planned.flatMap((part) => part.ids),
    storedRows: sumOfParts(planned, (part) => part.stored),
    duplicates: sumOfParts(planned, (part) => part.duplicates),
    hints: planned.flatMap(({ hint }) => (hint === null ? [] : [hint])),
  }
}

interface PlannedPart extends Pick<CommitPlan, 'blocks' | 'rows' | 'ids'> {
  readonly control: ControlPart | null
  readonly hint: KindHint | null
  readonly outcomes: readonly CountedOutcome[]
  readonly stored: number
  readonly duplicates: number
}

async function toldBefore(
  keep: ReturnType<Kinds['stored']>['keep'],
  arrived: ArrivedPart,
  {
    rows,
    control,
  }: { readonly rows: readonly { readonly place: number }[]; readonly control: PlanParts['control'] },
): Promise<ReadonlySet<number>> {
  const places = rows.map(({ place }) => place)
  return (await keep.repeats?.(arrived, places, control)) ?? new Set()
}

async function planPart(
  arrived: ArrivedPart,
  { kinds, eventIds, control, encoding, newIssuesMax = max('newIssuesPerHourMax') }: PlanParts,
): Promise<PlannedPart> {
  const { table, category, keep } = kinds.stored(arrived.kind)
  const all = plannedRows(arrived.columns, table.hasEventId)
  const split = await splitDuplicates(all, eventIds)
  const told = await toldBefore(keep, arrived, { rows: split.stored, control })
  const stored = told.size === 0 ? split.stored : split.stored.filter(({ place }) => !told.has(place))
  const duplicates =
    told.size === 0
      ? split.duplicates
      : [...split.duplicates, ...split.stored.filter(({ place }) => told.has(place))]
  const places = stored.map(({ place }) => place)
  const kept = await keep.settle(arrived, places, { control, encoding, newIssuesMax })
  return {
    blocks: listBlocks(kept, stored),
    rows: listPlannedRows(kept.part, stored),
    control: kept.control,
    hint: kept.hint === null ? null : { kind: arrived.kind, of: kept.hint },
    ids: stored.filter(hasId),
    outcomes: [
      ...countRows(stored, category, { outcome: 'accepted', reason: null }),
      ...countRows(duplicates, category, { outcome: 'invalid', reason: 'duplicate' }),
      ...weighRows(keep, arrived, { stored, duplicates }),
    ],
    stored: stored.length,
    duplicates: duplicates.length,
  }
}

/** Counts rows of a kind in its second category. */
function weighRows(
  { weight }: ReturnType<Kinds['stored']>['keep'],
  arrived: ArrivedPart,
  {
    stored,
    duplicates,
  }: { readonly stored: readonly PlannedRow[]; readonly duplicates: readonly PlannedRow[] },
): readonly CountedOutcome[] {
  if (weight === undefined) return []
  const { category } = weight
  const weighed = (row: PlannedRow) => ({ ...row, category, quantity: weight.of(arrived, row.place) })
  return [
    ...countRows(stored.map(weighed), category, { outcome: 'accepted', reason: null }),
    ...countRows(duplicates.map(weighed), category, { outcome: 'invalid', reason: 'duplicate' }),
  ]
}

/** Identifies one row of a part. */
interface PlannedRow {
  /** Index in the part's columns. */
  readonly place: number
  readonly seq: Seq
  readonly projectId: ProjectId
  /** `null` for a kind whose items have none: nothing tells a repeat of them. */
  readonly eventId: EventId | null
  readonly file: FileName
  readonly keyId: KeyId
  readonly receivedMs: number
  readonly quantity: number
  /** `''`: that of its kind. */
  readonly category: string
}

function plannedRows(columns: RowColumns, hasEventId: boolean): readonly PlannedRow[] {
  return Array.from({ length: columns.count }, (_, place): PlannedRow => {
    const file = columns.files[columns.file[place] ?? 0]
    assert(file !== undefined, 'every row names a file of its batch')
    return {
      place,
      seq: seq(columns.seq[place] ?? 0),
      projectId: projectId(columns.projectId[place] ?? 0),
      eventId: hasEventId ? eventIdAt(columns, place) : null,
      file,
      keyId: keyId(columns.keyId[place] ?? 0),
      receivedMs: columns.receivedMs[place] ?? 0,
      quantity: columns.quantity[place] ?? 1,
      category: columns.categories[columns.category[place] ?? 0] ?? '',
    }
  })
}

function hasId(row: PlannedRow): row is PlannedRow & { readonly eventId: EventId } {
  return row.eventId !== null
}

/** The first occurrence is stored, in the batch as well as in all that went before. */
async function splitDuplicates(
  rows: readonly PlannedRow[],
  ids: Pick<EventIds, 'fresh'>,
): Promise<{ readonly stored: readonly PlannedRow[]; readonly duplicates: readonly PlannedRow[] }> {
  const seen = new Map<ProjectId, Set<string>>()
  const repeats = new Set<PlannedRow>()
  let lastSeq: Seq | null = null
  for (const row of rows) {
    assert(lastSeq === null || row.seq >= lastSeq, 'rows of a part come in seq order')
    lastSeq = row.seq
    if (isRepeat(row, seen)) repeats.add(row)
  }
  const asked = rows.filter(hasId).filter((row) => !repeats.has(row))
  const fresh = await ids.fresh(asked)
  for (const [at, row] of asked.entries()) if (fresh[at] !== true) repeats.add(row)
  if (repeats.size === 0) return { stored: rows, duplicates: [] }
  return {
    stored: rows.filter((row) => !repeats.has(row)),
    duplicates: rows.filter((row) => repeats.has(row)),
  }
}

/** True for a row whose id came before within the batch. */
function isRepeat({ projectId: project, eventId }: PlannedRow, seen: Map<ProjectId, Set<string>>): boolean {
  if (eventId === null) return false
  const ofProject = seen.get(project) ?? new Set()
  seen.set(project, ofProject)
  if (ofProject.has(eventId)) return true
  ofProject.add(eventId)
  return false
}

/**
 * Every block with the stored rows it holds. A payload that is not kept stays in its block, out of reach, until
 * compaction writes the block anew: packing it again here would cost the one commit more than the bytes are worth.
 */
function listBlocks(
  { part: { blocks, columns }, bare }: KeptPart,
  stored: readonly PlannedRow[],
): CommitPlan['blocks'] {
  const lists = blocks.map((block): { block: PayloadBlock; entries: BlockEntry[] } => ({
    block,
    entries: [],
  }))
  for (const { place, projectId: project, eventId, seq: at, file } of stored) {
    const list = lists[columns.block[place] ?? 0]
    assert(list !== undefined, 'a row names a block of its batch')
    assert(isSameFile(list.block.file, file), 'a block holds rows of its own file')
    const offset = columns.offset[place] ?? 0
    const bytes = columns.bytes[place] ?? 0
    const rowBytes = columns.rowBytes[place] ?? 0
    const kept = bare.has(place) ? { offset: offset + bytes, bytes: 0 } : { offset, bytes }
    list.entries.push({ projectId: project, eventId, seq: at, ...kept, rowBytes })
  }
  return lists
}

function listPlannedRows({ columns, lines }: ArrivedPart, stored: readonly PlannedRow[]): CommitPlan['rows'] {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  return stored.map(({ place, seq: at, file }): WrittenRow => {
    const start = place === 0 ? 0 : (columns.lineEnd[place - 1] ?? 0)
    return {
      seq: at,
      file,
      timestampMs: columns.timestampMs[place] ?? 0,
      line: text.toString('utf8', start, columns.lineEnd[place]),
      form: columns.form[place] ?? 0,
    }
  })
}

function countRows(
  rows: readonly PlannedRow[],
  ofKind: string,
  as: Pick<CountedOutcome, 'outcome' | 'reason'>,
): readonly CountedOutcome[] {
  const counted = new Map<string, { quantity: number; atMs: number; readonly of: PlannedRow }>()
  for (const row of rows) {
    const { projectId: project, keyId: sent, receivedMs, quantity, category } = row
    const key = `${project}:${sent}:${Math.floor(receivedMs / MINUTE_MS)}:${category}`
    const before = counted.get(key)
    if (before === undefined) {
      counted.set(key, { quantity, atMs: receivedMs, of: row })
    } else {
      before.quantity += quantity
      before.atMs = Math.max(before.atMs, receivedMs)
    }
  }
  return [...counted.values()].map(({ quantity, atMs, of }) => ({
    ...as,
    ...{ category: of.category === '' ? ofKind : of.category, quantity, atMs },
    ...{ projectId: of.projectId, keyId: of.keyId },
  }))
}

/** Keys that sent anything at all, refused or not. */
function keysUsed(outcomes: readonly CountedOutcome[]): ControlBatch['keysUsed'] {
  const newest = new Map<KeyId, number>()
  for (const { keyId: used, atMs } of outcomes) {
    if (used !== null) newest.set(used, Math.max(atMs, newest.get(used) ?? 0))
  }
  return [...newest].map(([used, atMs]) => ({ keyId: used, atMs }))
}

function sumOfParts(parts: readonly PlannedPart[], of: (part: PlannedPart) => number): number {
  return parts.reduce((sum, part) => sum + of(part), 0)
}
