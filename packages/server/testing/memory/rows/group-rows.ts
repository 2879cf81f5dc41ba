/** Groups: everything a batch counts. */
import type { IssueId } from '#base/ids.ts'
import { NOBODY, withSeen } from '#issues/group-users.ts'
import {
  addedBy,
  hoursMayGo,
  isNewest,
  NO_SUMS,
  newestPayload,
  oldestHourKept,
  withSums,
} from '#issues/issue-sums.ts'
import { isSameFile } from '#model/file-name.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { GroupFile, GroupRow, Tables } from '../tables.ts'
import { type BatchTags, NO_TAGS } from './batch-tags.ts'

export function findGroup(
  of: Tables,
  { projectId, hash }: Pick<GroupDelta, 'projectId' | 'hash'>,
): GroupRow | undefined {
  return of.groups.find((group) => group.hash === hash && group.projectId === projectId)
}

export function newGroup(
  begins: { readonly id: number; readonly issueId: IssueId; readonly delta: GroupDelta },
  tags: BatchTags,
): GroupRow {
  const { id, issueId, delta } = begins
  const { projectId, hash, newest } = delta
  return {
    ...{ id, issueId, projectId, hash, foldedInto: null },
    ...countsOf(delta),
    ...withSums(NO_SUMS, [delta]),
    facts: factsOf(delta),
    factsMs: newest.atMs,
    newestPayload: delta.newestPayload,
    users: withSeen(NOBODY, delta),
    hours: delta.hours,
    files: withFiles([], delta.files),
    tags: tags.add(projectId, NO_TAGS, delta.facets),
  }
}

export function groupAfter(group: GroupRow, delta: GroupDelta, tags: BatchTags): GroupRow {
  const isNamed = isNewest(delta.newest.atMs, group.factsMs)
  return {
    ...group,
    ...addedBy([countsOf(group), countsOf(delta)]),
    ...withSums(group, [delta]),
    ...(isNamed ? { facts: factsOf(delta), factsMs: delta.newest.atMs } : {}),
    newestPayload: newestPayload(group.newestPayload, delta.newestPayload),
    users: withSeen(group.users, delta),
    hours: hoursAfter(group, delta),
    files: withFiles(group.files, delta.files),
    tags: tags.add(group.projectId, group.tags, delta.facets),
  }
}

function countsOf({ eventCount, mirrorCount, payloadCount, firstMs, lastMs }: GroupRow | GroupDelta) {
  return { eventCount, mirrorCount, payloadCount, firstMs, lastMs }
}

function factsOf({ facts }: GroupDelta): StoredFacts {
  return JSON.parse(facts) as StoredFacts // as the port says
}

function hoursAfter(group: GroupRow, delta: GroupDelta): ReadonlyMap<number, number> {
  const mayGo = hoursMayGo({ lastSeenMs: group.lastMs }, delta)
  const oldest = mayGo ? oldestHourKept(delta.lastMs) : Number.NEGATIVE_INFINITY
  const hours = new Map([...group.hours].filter(([hour]) => hour >= oldest))
  for (const [hour, count] of delta.hours) hours.set(hour, (hours.get(hour) ?? 0) + count)
  return hours
}

function withFiles(before: readonly GroupFile[], added: GroupDelta['files']): readonly GroupFile[] {
  const files = [...before]
  for (const { kind, day, retentionDays, events, firstMs, lastMs } of added) {
    const name = { kind, day, retentionDays }
    const at = files.findIndex((file) => isSameFile(file, name))
    const known = files[at]
    const holds = { events, firstMs, lastMs }
    if (known === undefined) files.push({ ...name, holds })
    // What is not known stays so.
    else if (known.holds !== null) files[at] = { ...known, holds: contentsAfter(known.holds, holds) }
  }
  return files
}

type Contents = NonNullable<GroupFile['holds']>

function contentsAfter(before: Contents, added: Contents): Contents {
  return {
    events: before.events + added.events,
    firstMs: Math.min(before.firstMs, added.firstMs),
    lastMs: Math.max(before.lastMs, added.lastMs),
  }
}
