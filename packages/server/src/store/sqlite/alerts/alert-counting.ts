/**
 * Counts a batch for alert rules, in its own transaction. Of a project that no rule looks at, but its own preset rules,
 * issues that are new or came back are noted.
 */

import { SlotAdditions } from '#alerts/rules/slots.ts'
import {
  addBehindToSlots,
  addGroup,
  addMove,
  addSegment,
  type BehindChange,
  factsOf,
  type ProjectWatch,
  type SegmentMove,
  watchOf,
} from '#alerts/rules/watch.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import type { Connection } from '../connection.ts'
import { addCandidates, type CandidateSeen } from '../rows/alert-candidates.ts'
import { addToSlots, rulesOn } from './alert-rows.ts'

/** Changes of one issue by a batch. */
export interface CountedGroup {
  readonly issueId: IssueId
  readonly delta: GroupDelta
}

export interface CountedBatch {
  readonly groups: readonly CountedGroup[]
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  /** Back from being resolved, or from the archive. */
  readonly returnedIssues: readonly IssueId[]
  /** Counted for the first time. */
  readonly segments: readonly SegmentSeen[]
  readonly behind: readonly BehindChange[]
  readonly moves: readonly SegmentMove[]
  readonly nowMs: number
  /** Version of the rules, and of issues that are archived until they escalate. */
  readonly version: number
  /** All of which it has something. */
  readonly projects: ReadonlyMap<ProjectId, { readonly orgId: number }>
}

/** Lives as long as its connection. */
export class AlertCounting {
  readonly #db: Connection
  #version = -1
  #rules: readonly AlertRule[] = []
  #orgs = new Map<ProjectId, number | null>()
  #escalating: ReadonlySet<ProjectId> = new Set()
  readonly #watches = new Map<ProjectId, ProjectWatch>()

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#version = -1
  }

  /** The benchmark finds it by its name. */
  countForRules(batch: CountedBatch): void {
    const { groups, newIssues, returnedIssues, segments, behind, moves, nowMs } = batch
    this.#refresh(batch.version)
    for (const [project, { orgId }] of batch.projects) this.#orgs.set(project, orgId)
    const issues = {
      begun: new Set(newIssues.map(({ issueId }) => issueId)),
      returned: new Set(returnedIssues),
    }
    const additions = new SlotAdditions()
    const candidates: CandidateSeen[] = []
    for (const group of groups) {
      const watch = this.#watch(group.delta.projectId)
      addGroup(additions, watch, group)
      addCandidatesOf(candidates, { watch, group, ...issues })
    }
    for (const segment of segments) {
      const watch = this.#watch(segment.projectId)
      addSegment(additions, watch, segment)
    }
    for (const move of moves) {
      const watch = this.#watch(move.from.projectId)
      addMove(additions, watch, { move, atMs: nowMs })
    }
    for (const change of behind) {
      const watch = this.#watch(change.projectId)
      addBehindToSlots(additions, watch, { change, atMs: nowMs })
    }
    addCandidates(this.#db, candidates)
    addToSlots(this.#db, [...additions.all()])
  }

  #watch(project: ProjectId): ProjectWatch {
    const known = this.#watches.get(project)
    if (known !== undefined) return known
    const org = this.#orgOf(project)
    const rules = this.#rules.filter(({ orgId }) => orgId === org)
    const watch = watchOf(rules, project, this.#escalating.has(project))
    this.#watches.set(project, watch)
    return watch
  }

  #orgOf(project: ProjectId): number | null {
    const known = this.#orgs.get(project)
    if (known !== undefined) return known
    const sql = 'SELECT org_id AS org FROM projects WHERE id = ?'
    const org = this.#db.get<{ org: number }>(sql, [project])?.org ?? null
    this.#orgs.set(project, org)
    return org
  }

  /** Rules are read again only after one of them changed. */
  #refresh(version: number): void {
    if (version === this.#version) return
    this.#version = version
    this.#watches.clear()
    this.#orgs.clear()
    this.#rules = rulesOn(this.#db)
    const sql = `SELECT DISTINCT project_id AS id FROM issues
      WHERE status = 'archived' AND substatus = 'archived_until_escalating'`
    this.#escalating = new Set(this.#db.all<{ id: ProjectId }>(sql).map(({ id }) => id))
  }
}

function addCandidatesOf(
  candidates: CandidateSeen[],
  {
    watch,
    group: { issueId, delta },
    begun,
    returned,
  }: { readonly watch: ProjectWatch; readonly group: CountedGroup } & Readonly<
    Record<'begun' | 'returned', ReadonlySet<IssueId>>
  >,
): void {
  const isNew = begun.has(issueId)
  const isBack = returned.has(issueId)
  if (!isNew && !isBack && !watch.isEveryEventWatched) return
  const [atMs, facts] = [delta.firstReceivedMs, factsOf(delta, watch)]
  if (isNew) candidates.push({ issueId, moment: 'new', atMs, facts })
  if (isBack) candidates.push({ issueId, moment: 'regressed', atMs, facts })
  if (watch.isEveryEventWatched) candidates.push({ issueId, moment: 'touched', atMs, facts })
}
