/** Rows of issues, as reads and writes share them. */

import type { IssueId, UserId } from '#base/ids.ts'
import type { IssueChoices } from '#issues/issue-changes.ts'
import type { IssueState } from '#issues/issue-transition.ts'
import { max } from '#limits/limits.ts'
import type { Activity } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'
import type { Tables } from '../tables.ts'
import { addPersonsCandidate } from './alert-candidates.ts'

/** What happened to an issue, and by whom: written in the transaction of the change itself. Answers its id. */
export function writeActivity(
  to: Tables,
  issueId: IssueId,
  note: Pick<Activity, 'kind' | 'atMs' | 'detail'> & {
    /** `null` for Errata itself. */
    readonly actor: Actor | null
    /** The state that it replaced, where a person changed it. */
    readonly before?: IssueState
    /** What it replaced beside the state. */
    readonly choicesBefore?: IssueChoices
  },
): number {
  const id = to.activities.nextId()
  const { kind, atMs, detail, actor, before = null, choicesBefore = null } = note
  const userId = (actor?.userId ?? null) as UserId | null // an actor's number is of a user
  if (actor !== null) addPersonsCandidate(to, issueId, { kind, atMs })
  to.activities.put(id, {
    id,
    issueId,
    kind,
    atMs,
    userId,
    actor: actor?.label ?? 'Errata',
    detail,
    before,
    choicesBefore,
    editedMs: null,
  })
  const changes = to.activities.where((one) => one.issueId === issueId && one.kind !== 'commented')
  for (const { id: old } of changes.slice(0, -max('activitiesPerIssueMax'))) to.activities.delete(old)
  return id
}

/** What is remembered of groups that are gone. */
export function forgetGroups(to: Tables, groups: ReadonlySet<number>): void {
  to.digests.deleteWhere(({ groupId }) => groups.has(groupId))
  for (const id of groups) to.skewGroups.delete(id)
  to.mirrors.deleteWhere(({ groupId }) => groups.has(groupId))
  to.sightings.deleteWhere(({ groupId }) => groups.has(groupId))
}

/** The issue and everything below it. */
export function deleteIssueRows(to: Tables, id: IssueId): void {
  const isOfIt = ({ issueId }: { readonly issueId: IssueId }) => issueId === id
  const gone = new Set(to.groups.deleteWhere(isOfIt).map((group) => group.id))
  forgetGroups(to, gone)
  const told = new Set(to.activities.deleteWhere(isOfIt).map((activity) => activity.id))
  to.letters.deleteWhere(({ telling }) => telling !== null && told.has(telling.activityId))
  to.marks.deleteWhere(isOfIt)
  to.owners.deleteWhere(isOfIt)
  to.merges.deleteWhere(isOfIt)
  to.redirects.deleteWhere(isOfIt)
  to.issueShares.delete(id)
  to.trackerLinks.deleteWhere(isOfIt)
  to.alertCandidates.deleteWhere(isOfIt)
  to.issues.delete(id)
}

/** Of an issue that nobody has touched yet. */
export const UNCHOSEN = {
  assigneeId: null,
  assigneeTeamId: null,
  priorityChosen: null,
  prioritySetMs: null,
} as const
