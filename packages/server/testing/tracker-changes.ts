/** Changes of issue trackers and links to them, whose preparation found nothing wrong. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { createChanges } from '#commands/changes.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import type { Control } from '#ports/control.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import type {
  ClaimedTrackerWork,
  NewTracker,
  RemoteIssue,
  TrackerChange,
  TrackerSettlement,
} from '#ports/trackers.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type TrackerChanges = ReturnType<typeof trackerChanges>

interface Linking {
  readonly trackerId: number
  readonly remote: RemoteIssue
  readonly isNew: boolean
}

export function trackerChanges(control: Control) {
  const change = changesOf(control)
  const { own } = createChanges(control)
  const of = <N extends CommandName>(
    name: N,
    place: { readonly orgId: OrgId; readonly projects?: readonly ProjectId[] },
    prepared: PreparedOf<N>,
    actor: Actor,
  ) => change(name, prepared, { scope: scopeForTest({ projects: [], ...place }), actor })
  return {
    createTracker: (orgId: OrgId, tracker: NewTracker, actor: Actor) =>
      of('createTracker', { orgId }, tracker, actor),
    changeTracker: (orgId: OrgId, id: number, given: TrackerChange, actor: Actor) =>
      of('changeTracker', { orgId }, { id, change: given }, actor),
    deleteTracker: (orgId: OrgId, id: number, actor: Actor) => of('deleteTracker', { orgId }, { id }, actor),
    linkIssue: ({ ids: [issueId], ...place }: IssueChange, linking: Linking, actor: Actor) => {
      if (issueId === undefined) throw new Error('no issue to link')
      return of('linkTrackerIssue', place, { issueId, ...linking }, actor)
    },
    unlinkIssue: ({ ids: [issueId], ...place }: IssueChange, link: number, actor: Actor) => {
      if (issueId === undefined) throw new Error('no issue to unlink')
      return of('unlinkTrackerIssue', place, { issueId, link }, actor)
    },
    takeNews: (tracker: number, news: RemoteIssue, nowMs: number) =>
      own('takeNews', { tracker, news, nowMs }),
    settleTrackerWork: (
      work: Pick<ClaimedTrackerWork, 'id' | 'lease'>,
      settlement: TrackerSettlement,
      nowMs: number,
    ) => own('settleTrackerWork', { work, settlement, nowMs }),
  }
}
