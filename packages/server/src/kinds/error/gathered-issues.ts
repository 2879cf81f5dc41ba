/**
 * Bounds the issues that begin within an hour of receipt: beyond `newIssuesPerHourMax` of a project, events of further
 * new groups are gathered in one group of the project, whose issue says so. Without it, made-up errors would make the
 * control store grow by a row of everything each. Each event keeps its own title and tags; payloads are capped like
 * those of any issue.
 *
 * What is stored decides who is gathered, in the order of the journal: a batch that comes again ends the same.
 */
import { hash } from 'node:crypto'
import { assert } from '#base/errors.ts'
import { type GroupHash, groupHash, type ProjectId } from '#base/ids.ts'
import { hourSinceEpoch } from '#issues/payload-sampling.ts'
import type { PayloadWindow, StoredFacts } from '#ports/ingest.ts'
import type { RowEncoding } from '#ports/telemetry.ts'
import { exchangeRows } from '../exchange-rows.ts'
import { ERRORS } from './fields.ts'
import { type ColumnGroup, type EventColumns, type EventPart, eventColumns } from './sum.ts'

/** Answers of the control store by the place of each group in a batch. */
export type Windows = ReadonlyMap<number, PayloadWindow>

export interface GatherOptions {
  readonly windows: Windows
  readonly newIssuesMax: number
  readonly encoding: RowEncoding
}

/** The part with its groups gathered; the very same where none has to be. `places` are in ascending order. */
export function gatherIssues(part: EventPart, places: readonly number[], options: GatherOptions): EventPart {
  const columns = eventColumns(part)
  const beyond = groupsBeyond(columns, places, options)
  if (beyond.size === 0) return part
  const moved = places.filter((place) => beyond.has(columns.group[place] ?? 0))
  const groups = [...columns.groups]
  const group = columns.group.slice()
  const gathered = new Map<ProjectId, number>()
  for (const place of moved) {
    const { projectId } = groupAt(columns, place)
    const known = gathered.get(projectId) ?? groups.push(gatheringGroup(projectId, options.newIssuesMax)) - 1
    gathered.set(projectId, known)
    group[place] = known
  }
  const exchanged = exchangeRows(ERRORS, part, new Set(moved), {
    encoding: options.encoding,
    change: (row) => ({ ...row, groupHash: gatheringHash(row.projectId) }),
  })
  return { ...exchanged, sums: { ...part.sums, group, groups } }
}

/** Places of new groups that find no room in their hour. */
function groupsBeyond(
  columns: EventColumns,
  places: readonly number[],
  { windows, newIssuesMax }: GatherOptions,
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
    const hour = hourSinceEpoch(columns.receivedMs[place] ?? 0)
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

/** Returns the hash of a project's gathering group; the same each time, so that it stays one issue. */
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
    ...{ logger: null, handled: null, category: 'other' },
  }
  return { projectId, hash: own, facts: JSON.stringify(facts) }
}
