/** Reads of issues, the groups they own and digests. */

import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { type IssueId, issueId } from '#base/ids.ts'
import { newSince, readIssueRef } from '#issues/issue-names.ts'
import { trendRange } from '#issues/trend-range.ts'
import { max } from '#limits/limits.ts'
import type { DigestMatch, GroupView, Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { findGroup } from '../rows/group-rows.ts'
import { groupsOf, issueView } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable, readableGroups } from '../rows/readable-issues.ts'
import type { DigestRow, GroupRow, Tables } from '../tables.ts'
import { groupingRead } from './grouping.ts'
import {
  countByProject,
  countByStatus,
  groupsFound,
  issueBeside,
  issueValues,
  listIssues,
} from './issue-list.ts'
import { issuePeopleRead } from './issue-people.ts'
import { issueSharesRead } from './issue-shares.ts'
import { mirrorsRead } from './mirrors-read.ts'
import { seriesOf } from './series.ts'
import { tagsRead } from './tags-read.ts'

export function issuesRead(of: Tables, clock: Clock): IssuesRead {
  const since = () => newSince(clock.now())
  return {
    list: async (scope, filter, page) => listIssues(of, scope, { ...page, filter, newSinceMs: since() }),
    beside: async (scope, filter, place) => issueBeside(of, scope, { ...place, filter, newSinceMs: since() }),
    groupsFound: async (scope, filter, limit) =>
      groupsFound(of, scope, { filter, limit, newSinceMs: since() }),
    countByStatus: async (scope, filter) => countByStatus(of, scope, { filter, newSinceMs: since() }),
    ...issueSharesRead(of),
    issueValues: async (scope, field, asked) => issueValues(of, scope, { field, ...asked }),
    countByProject: async (scope) => countByProject(of, scope, since()),
    issue: async (scope, ref) => issueById(of, scope, { id: idOfRef(of, scope, ref), newSinceMs: since() }),
    issuesByRefs: async (scope, refs) => {
      assert(refs.length <= max('issuesPerChangeMax'), 'as many refs as one change may name')
      const ids = new Set(refs.map((ref) => idOfRef(of, scope, ref)))
      const newSinceMs = since()
      return [...ids].map((id) => issueById(of, scope, { id, newSinceMs })).filter((issue) => issue !== null)
    },
    issueOfGroup: async (scope, projectId, hash) => {
      const group = findGroup(of, { projectId, hash })
      return issueById(of, scope, { id: group?.issueId ?? null, newSinceMs: since() })
    },
    groups: async (scope, id) =>
      readableGroups(of, scope, id)
        .toSorted(
          inOrder(
            descending(({ eventCount }) => eventCount),
            ascending((group) => group.id),
          ),
        )
        .map(groupView),
    trend: async (scope, id, range) => {
      const asked = trendRange(range)
      const groups = isReadable(of, scope, id) ? groupsOf(of, id) : []
      return groups.length > 0
        ? seriesOf(groups, asked)
        : { startMs: asked.startMs, stepMs: asked.stepMs, counts: [] }
    },
    activity: async (scope, id, limit, kind) =>
      isReadable(of, scope, id)
        ? of.activities
            .where((row) => row.issueId === id && (kind === undefined || row.kind === kind))
            .sort(descending((row) => row.id))
            .slice(0, limit)
            .map(({ issueId: _, before: _before, ...row }) => row)
        : [],
    digests: async (scope, digests) => {
      const wanted = new Set(digests)
      return digestMatches(of, scope, ({ digest }) => wanted.has(digest))
    },
    digestsOfIssue: async (scope, id, limit) => {
      const groups = new Set(groupsOf(of, id).map((group) => group.id))
      return digestMatches(of, scope, ({ groupId }) => groups.has(groupId)).slice(0, limit)
    },
    newestDigests: async (scope, ids) =>
      ids.flatMap((issueId) => {
        const groups = new Set(groupsOf(of, issueId).map((group) => group.id))
        const [newest] = digestMatches(of, scope, ({ groupId }) => groups.has(groupId))
        return newest === undefined ? [] : [{ issueId, digest: newest.digest }]
      }),
    ...issuePeopleRead(of),
    ...tagsRead(of),
    ...mirrorsRead(of),
    ...groupingRead(of),
  }
}

function issueById(
  of: Tables,
  scope: ReadScope,
  { id, newSinceMs }: { readonly id: IssueId | null; readonly newSinceMs: number },
): Issue | null {
  const issue = id === null ? undefined : of.issues.get(id)
  if (issue === undefined || !isReadable(of, scope, issue.id)) return null
  return issueView(of, issue, { groups: groupsOf(of, issue.id), newSinceMs })
}

/** By id or short id; what was merged leads to what it was merged into. */
function idOfRef(of: Tables, scope: ReadScope, ref: string): IssueId | null {
  const named = readIssueRef(ref)
  if (named === null) return null
  if ('id' in named) {
    const id = issueId(named.id)
    return of.redirects.get(id)?.issueId ?? id
  }
  const readable = readableProjects(of, scope)
  const project = of.projects.find(
    ({ id, slug, formerSlugs }) => readable.has(id) && [slug, ...formerSlugs].includes(named.slug),
  )
  const isIt = (row: { readonly projectId: number; readonly number: number }) =>
    row.projectId === project?.id && row.number === named.number
  return of.issues.find(isIt)?.id ?? of.redirects.find(isIt)?.issueId ?? null
}

function groupView(group: GroupRow): GroupView {
  const { hash, projectId, eventCount, payloadCount, newestPayload, files } = group
  return {
    ...{ hash, projectId, eventCount, payloadCount, newestPayload },
    isFolded: group.foldedInto !== null,
    firstSeenMs: group.firstMs,
    lastSeenMs: group.lastMs,
    files: files.toSorted(
      inOrder(
        ascending(({ day }) => day),
        ascending(({ retentionDays }) => retentionDays),
      ),
    ),
  }
}

/**
 * A release is as new as its first sighting of the digest. Within one, a server's own failure stands before its
 * echoes in browsers.
 */
function digestMatches(
  of: Tables,
  scope: ReadScope,
  wanted: (row: DigestRow) => boolean,
): readonly DigestMatch[] {
  const readable = readableProjects(of, scope)
  const rows = of.digests.where(wanted).flatMap((row) => {
    const group = of.groups.get(row.groupId)
    return group !== undefined && readable.has(group.projectId) ? [{ row, group }] : []
  })
  const releases = new Map<string, number>()
  const nameOf = ({ digest, release }: DigestRow) => `${digest} ${release ?? ''}`
  for (const { row } of rows)
    releases.set(nameOf(row), Math.min(releases.get(nameOf(row)) ?? row.firstMs, row.firstMs))
  return rows
    .sort(
      inOrder(
        descending(({ row }) => releases.get(nameOf(row)) ?? 0),
        ascending(({ row }) => (row.mirrorCount === row.count ? 1 : 0)),
        descending(({ row }) => row.lastMs),
        descending(({ row }) => row.id),
      ),
    )
    .map(({ row: { id: _, groupId: __, firstMs, lastMs, ...row }, group }) => ({
      ...row,
      issueId: group.issueId,
      projectId: group.projectId,
      groupHash: group.hash,
      firstSeenMs: firstMs,
      lastSeenMs: lastMs,
    }))
}
