/** Reads issue trackers for people, and an issue's links. */
import type { Clock } from '#base/clock.ts'
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Tracker, TrackerLink, TrackerLogEntry, TrackersRead } from '#ports/trackers.ts'
import { isRefreshDue } from '#trackers/rules/links.ts'

interface TrackerQueries {
  trackers(scope: ReadScope): Promise<readonly Tracker[]>
  tracker(scope: ReadScope, id: number): Promise<Tracker | null>
  /** Returns issues closed there because ours were resolved, newest first. */
  trackerLog(scope: ReadScope, id: number): Promise<readonly TrackerLogEntry[]>
  /**
   * Returns links as last known; old ones are refreshed after the page. `null`: no such issue, or it may not
   * be read.
   */
  trackerLinks(scope: ReadScope, ref: string): Promise<readonly TrackerLink[] | null>
}

interface TrackerQueryParts {
  readonly trackers: TrackersRead
  readonly issues: Pick<IssuesRead, 'issuesByRefs'>
  readonly clock: Clock
  /** Left out: nothing is asked for again. */
  readonly onOldLinks?: (issue: IssueId) => void
}

export function trackerQueries({ trackers, issues, clock, onOldLinks }: TrackerQueryParts): TrackerQueries {
  return {
    // They are the organisation's, and may be named after what a guest does not know of.
    trackers: async (scope) => (scope.isGuest === true ? [] : trackers.trackers(scope)),
    tracker: async (scope, id) => (scope.isGuest === true ? null : trackers.tracker(scope, id)),
    trackerLog: (scope, trackerId) => trackers.trackerLog(scope, { trackerId, limit: max('trackerLogRows') }),
    trackerLinks: async (scope, ref) => {
      const [issue] = await issues.issuesByRefs(scope, [ref])
      if (issue === undefined) return null
      const links = await trackers.trackerLinks(scope, issue.id)
      const nowMs = clock.now()
      if (links.some(({ checkedMs }) => isRefreshDue(checkedMs, nowMs))) onOldLinks?.(issue.id)
      return links
    },
  }
}
