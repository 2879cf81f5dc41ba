/**
 * Bounds the issues that begin within an hour of receipt: beyond `newIssuesPerHourMax` of a project, events of further
 * new groups are gathered in one group of the project, whose issue says so. Without it, made-up errors would make the
 * control store grow by a row of everything each. Each event keeps its own title and tags; payloads are capped like
 * those of any issue.
 *
 * The group's hash is exchanged where the batch holds it, in the row's line and in the row record behind the payload;
 * hashes are all of one length, so that no place moves. What is stored decides who is gathered, in the order of the
 * journal: a batch that comes again ends the same.
 */
import { hash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { assert } from '#base/errors.ts'
import { type GroupHash, groupHash, type ProjectId } from '#base/ids.ts'
import { hourOf } from '#issues/payload-sampling.ts'
import type { PayloadBlock } from '#model/batch.ts'
import type { PayloadWindow, StoredFacts } from '#ports/ingest.ts'
import type { ColumnBatch, ColumnGroup, EventColumns } from './event-columns.ts'

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** `[1,"`: what stands before the hash in a row record (model/row-record.ts). */
const HASH_IN_RECORD = 4

/** What the control store says of each group of a batch, by its place. */
export type Windows = ReadonlyMap<number, PayloadWindow>

/** The batch with its groups gathered; the very same where none has to be. `places` are in ascending order. */
export function gatherIssues(
  batch: ColumnBatch,
  places: readonly number[],
  { windows, newIssuesMax }: { readonly windows: Windows; readonly newIssuesMax: number },
): ColumnBatch {
  const { columns } = batch
  const beyond = groupsBeyond(columns, places, { windows, newIssuesMax })
  if (beyond.size === 0) return batch
  const moved = places.filter((place) => beyond.has(columns.group[place] ?? 0))
  const groups = [...columns.groups]
  const group = columns.group.slice()
  const gathered = new Map<ProjectId, number>()
  for (const place of moved) {
    const { projectId } = groupAt(columns, place)
    const known = gathered.get(projectId) ?? groups.push(gatheringGroup(projectId, newIssuesMax)) - 1
    gathered.set(projectId, known)
    group[place] = known
  }
  return {
    ...batch,
    columns: { ...columns, group, groups },
    lines: exchangedLines(batch, moved),
    blocks: exchangedBlocks(batch, moved),
  }
}

/** Places of new groups that find no room in their hour. */
function groupsBeyond(
  columns: EventColumns,
  places: readonly number[],
  { windows, newIssuesMax }: { readonly windows: Windows; readonly newIssuesMax: number },
): ReadonlySet<number> {
  const beyond = new Set<number>()
  const seen = new Set<number>()
  const begun = new Map<ProjectId, { hour: number; count: number }>()
  for (const place of places) {
    const group = columns.group[place] ?? 0
    if (seen.has(group)) continue
    seen.add(group)
    const begins = windows.get(group)?.begins ?? null
    if (begins === null) continue
    const { projectId } = groupAt(columns, place)
    const project = begun.get(projectId) ?? { ...begins }
    begun.set(projectId, project)
    const hour = hourOf(columns.receivedMs[place] ?? 0)
    if (hour > project.hour) {
      project.hour = hour
      project.count = 0
    }
    if (project.count >= newIssuesMax) beyond.add(group)
    else project.count++
  }
  return beyond
}

function groupAt(columns: EventColumns, place: number): ColumnGroup {
  const group = columns.groups[columns.group[place] ?? 0]
  assert(group !== undefined, 'every event names a group of its batch')
  return group
}

/** One of a project; found again by its hash, so that it stays one issue. */
export function gatheringHash(project: ProjectId): GroupHash {
  return groupHash(hash('md5', `errata: new issues beyond those kept apart, project ${project}`))
}

function gatheringGroup(projectId: ProjectId, newIssuesMax: number): ColumnGroup {
  const own = gatheringHash(projectId)
  const facts: StoredFacts = {
    title: 'Other: more new issues than are kept apart',
    type: 'Other',
    value:
      `More than ${newIssuesMax} issues of this project began within an hour. Events of further ones are ` +
      'gathered here; each keeps its own title and tags, and payloads are sampled like those of any issue.',
    ...{ filename: null, function: null, culprit: '', level: 'error', platform: 'other' },
    ...{ logger: null, handled: null },
  }
  return { projectId, hash: own, facts: JSON.stringify(facts) }
}

/** A line begins with numbers, then its hash: the first place where it stands. */
function exchangedLines({ columns, lines }: ColumnBatch, moved: readonly number[]): Uint8Array {
  const bytes = Buffer.from(lines)
  for (const place of moved) {
    const start = place === 0 ? 0 : (columns.lineEnd[place - 1] ?? 0)
    const { projectId, hash: old } = groupAt(columns, place)
    const at = bytes.indexOf(old, start, 'latin1')
    assert(at >= start && at < (columns.lineEnd[place] ?? 0), 'a line holds the hash of its group')
    bytes.write(gatheringHash(projectId), at, 'latin1')
  }
  return bytes
}

function exchangedBlocks(
  { columns, blocks }: ColumnBatch,
  moved: readonly number[],
): readonly PayloadBlock[] {
  const byBlock = new Map<number, number[]>()
  for (const place of moved) {
    const block = columns.block[place] ?? 0
    const list = byBlock.get(block)
    if (list === undefined) byBlock.set(block, [place])
    else list.push(place)
  }
  return blocks.map((block, index) => {
    const list = byBlock.get(index)
    return list === undefined ? block : exchangedBlock(columns, block, list)
  })
}

function exchangedBlock(columns: EventColumns, block: PayloadBlock, list: readonly number[]): PayloadBlock {
  const body = zstdDecompressSync(block.compressed, { maxOutputLength: Math.max(1, block.rawBytes) })
  for (const place of list) {
    const { projectId, hash: old } = groupAt(columns, place)
    const at = (columns.offset[place] ?? 0) + (columns.bytes[place] ?? 0) + HASH_IN_RECORD
    assert(body.toString('latin1', at, at + old.length) === old, 'a row record holds the hash of its group')
    body.write(gatheringHash(projectId), at, 'latin1')
  }
  return { ...block, compressed: zstdCompressSync(body, ZSTD) }
}
