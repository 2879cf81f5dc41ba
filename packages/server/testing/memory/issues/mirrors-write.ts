/** What the clock and people do to mirrors. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { stateOnceJoined } from '#issues/issue-joining.ts'
import { refuseGroups } from '#issues/issue-merging.ts'
import { mirrorFamily, refuseNoMirror } from '#issues/mirror-folding.ts'
import type { NewIssue } from '#notices/rules/queueing.ts'
import type { MirrorsWrite } from '#ports/mirrors.ts'
import type { Actor } from '#ports/scope.ts'
import { queueNotices } from '../notices/notice-queue.ts'
import { byId } from '../order.ts'
import { digestsOf } from '../rows/digests.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { groupsOf } from '../rows/issue-view.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { choose } from './chosen-issues.ts'
import { chosenIssue } from './merging.ts'
import { moveGroup, releaseMirror } from './mirror-folding.ts'

export function mirrorsWrite(to: Tables): MirrorsWrite {
  return {
    standAlone: async (nowMs) => to.transaction(() => standAlone(to, nowMs)),
    keepApart: async (change, actor) => to.transaction(() => keepApart(to, change, actor)),
  }
}

function standAlone(to: Tables, nowMs: number): Awaited<ReturnType<MirrorsWrite['standAlone']>> {
  const isDue = (dueMs: number | null) => dueMs !== null && dueMs <= nowMs
  const due = to.groups.where(({ id }) => isDue(to.mirrors.get(id)?.dueMs ?? null)).sort(byId)
  const newIssues = due.flatMap((group) => standOne(to, group, nowMs))
  queueNotices(to, nowMs, { newIssues, returnedIssues: [] })
  const waiting = to.mirrors.all().flatMap(({ dueMs }) => dueMs ?? [])
  return { issues: newIssues.length, nextMs: waiting.length === 0 ? null : Math.min(...waiting) }
}

function standOne(to: Tables, group: GroupRow, nowMs: number): readonly NewIssue[] {
  const { id, projectId, issueId, facts } = group
  const family = digestsOf(to, id).length > 0 ? null : String(mirrorFamily(facts))
  const sibling = family === null ? null : issueOfFamily(to, projectId, family)
  to.mirrors.change(id, { dueMs: null, family })
  if (sibling !== null) {
    joinIssue(to, group, { into: sibling, nowMs })
    return []
  }
  const project = to.projects.get(projectId)
  if (project === undefined) return []
  const number = project.issues.number + 1
  to.projects.change(projectId, { issues: { ...project.issues, number } })
  to.issues.change(issueId, { number, substatus: 'new' })
  return [{ issueId, projectId, isMirror: true }]
}

function issueOfFamily(of: Tables, project: ProjectId, family: string): IssueId | null {
  const isOfIt = ({ id, projectId }: GroupRow) =>
    projectId === project && of.mirrors.get(id)?.family === family
  const issues = of.groups.where(isOfIt).map(({ issueId }) => issueId)
  const newest = issues.length === 0 ? null : issues.reduce((a, b) => (a > b ? a : b))
  return newest === null || refuseGroups(groupsOf(of, newest).length + 1) !== null ? null : newest
}

export function joinIssue(
  to: Tables,
  { id, issueId: from, lastMs: lastSeenMs }: GroupRow,
  { into, nowMs }: { readonly into: IssueId; readonly nowMs: number },
): void {
  const [target, own] = [to.issues.get(into), to.issues.get(from)]
  if (target === undefined || own === undefined) return
  const joining = { into: chosenIssue(to, target), from: chosenIssue(to, own) }
  moveGroup(to, id, { from, into })
  const step = stateOnceJoined(joining, { lastSeenMs, atMs: nowMs })
  if (step === null) return
  to.issues.change(into, step.state)
  writeActivity(to, into, { kind: step.kind, atMs: nowMs, actor: null, detail: step.detail })
}

type Change = Parameters<MirrorsWrite['keepApart']>[0]

function keepApart(to: Tables, change: Change, actor: Actor): Result<readonly IssueId[]> {
  const chosen = choose(to, { ...change, ids: [change.id] })
  if (!chosen.ok) return chosen
  const [issue] = chosen.value
  if (issue === undefined) return refuseNoMirror()
  const named = groupsOf(to, issue.id)
    .filter((group) => group.foldedInto !== null && isNamed(group, change))
    .toSorted(byId)
  if (named.length === 0) return refuseNoMirror()
  const note = { kind: 'kept_apart', atMs: actor.atMs, actor } as const
  const apart = named.flatMap(({ id }) => {
    const released = releaseMirror(to, id, actor.atMs)
    const own = released === null ? undefined : to.issues.get(released)
    if (own === undefined) return []
    to.mirrors.change(id, { keptApart: { atMs: Math.floor(actor.atMs), actor: actor.label } })
    const { shortId, title } = chosenIssue(to, own)
    writeActivity(to, issue.id, { ...note, detail: { issue: shortId, title } })
    writeActivity(to, own.id, { ...note, detail: { issue: issue.shortId, title: issue.title } })
    return [own.id]
  })
  return ok(apart)
}

function isNamed({ projectId, hash }: GroupRow, { projects, groups }: Change): boolean {
  const isOne = groups === null || groups.some((one) => one.projectId === projectId && one.hash === hash)
  return projects.includes(projectId) && isOne
}
