/**
 * The stage that counts a batch for alert rules. Of a project that no rule looks at, but its own preset rules,
 * issues that are new or came back are noted.
 */
import { type SlotAddition, SlotAdditions } from '#alerts/rules/slots.ts'
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
import type { GroupDelta } from '#ports/ingest.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import type { BatchProjects } from '../batch-projects.ts'
import type { Connection } from '../connection.ts'
import { addCandidates, type CandidateSeen } from '../rows/alert-candidates.ts'
import type { Stage } from '../stage.ts'
import { addToSlots, alertsVersion, rulesOn } from './alert-rows.ts'
import type { Rules, RulesMemory } from './known-rules.ts'

/** Changes of one issue by a batch. */
interface CountedGroup {
  readonly issueId: IssueId
  readonly delta: GroupDelta
}

/** Parts of a batch that rules are counted for. */
interface AtWatches {
  readonly groups: readonly CountedGroup[]
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  readonly waiting: readonly { readonly issueId: IssueId }[]
  readonly returnedIssues: readonly IssueId[]
  readonly segments: readonly SegmentSeen[]
  readonly moves: readonly SegmentMove[]
  readonly behind: readonly BehindChange[]
  readonly nowMs: number
  readonly projects: BatchProjects
  readonly isChanged: boolean
  readonly before: { readonly alertsVersion: number | null }
  readonly remembered: { readonly watches: RulesMemory }
}

interface CountedSums {
  readonly candidates: readonly CandidateSeen[]
  readonly additions: readonly SlotAddition[]
}

export const WATCH_STAGE: Stage<AtWatches, Rules, CountedSums, AtWatches> = {
  name: 'watches',
  pick(at) {
    const { groups, segments, moves, behind } = at
    return [groups, segments, moves, behind].some(({ length }) => length > 0) ? at : null
  },
  load: loadRules,
  decide: countForRules,
  save: saveCounted,
}

/** Reads rules again only after one of them changed. */
function loadRules(db: Connection, { isChanged, before, remembered: { watches } }: AtWatches): Rules {
  const version = isChanged ? alertsVersion(db) : (before.alertsVersion ?? 0)
  const known = watches.rules.get('rules')
  if (known?.version === version) return known
  const sql = `SELECT DISTINCT project_id AS id FROM issues
    WHERE status = 'archived' AND substatus = 'archived_until_escalating'`
  const escalating = new Set(db.all<{ id: ProjectId }>(sql).map(({ id }) => id))
  const read = { version, all: rulesOn(db), escalating }
  watches.rules.set('rules', read)
  watches.ofProjects.clear()
  return read
}

/** The benchmark finds it by its name, and those beside it. */
function countForRules(rules: Rules, batch: AtWatches): CountedSums {
  const { groups, newIssues, waiting, returnedIssues, segments, behind, moves, nowMs } = batch
  const watchAt = (project: ProjectId) => watchIn(rules, project, batch)
  const issues = {
    begun: new Set([...newIssues, ...waiting].map(({ issueId }) => issueId)),
    returned: new Set(returnedIssues),
  }
  const additions = new SlotAdditions()
  const candidates: CandidateSeen[] = []
  for (const group of groups) {
    const watch = watchAt(group.delta.projectId)
    addGroup(additions, watch, group)
    addCandidatesOf(candidates, { watch, group, ...issues })
  }
  for (const segment of segments) addSegment(additions, watchAt(segment.projectId), segment)
  for (const move of moves) addMove(additions, watchAt(move.from.projectId), { move, atMs: nowMs })
  for (const change of behind) addBehindToSlots(additions, watchAt(change.projectId), { change, atMs: nowMs })
  return { candidates, additions: [...additions.all()] }
}

function watchIn(
  { all, escalating }: Rules,
  project: ProjectId,
  { projects, remembered: { watches } }: AtWatches,
): ProjectWatch {
  const known = watches.ofProjects.get(project)
  if (known !== undefined) return known
  const org = projects.get(project)?.orgId
  const watch = watchOf(
    all.filter(({ orgId }) => orgId === org),
    project,
    escalating.has(project),
  )
  watches.ofProjects.set(project, watch)
  return watch
}

function saveCounted(db: Connection, { candidates, additions }: CountedSums): void {
  addCandidates(db, candidates)
  addToSlots(db, additions)
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
