/** Rules of issue trackers that hold whatever store keeps them, and what is said when one is broken. */
import { DAY_MS } from '#base/durations.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { RemoteIssue, RemoteState } from '#ports/trackers.ts'

export const TRACKER_REFUSALS = {
  noTracker: () => refuse('not_found', 'The issue tracker does not exist.'),
  noIssue: () => refuse('not_found', 'There is no such issue.'),
  noLink: () => refuse('not_found', 'The issue has no such link.'),
  linked: () => refuse('conflict', 'The issue is already linked to it.'),
  nameTaken: () =>
    refuse('conflict', 'Another issue tracker of this kind has this name.', {
      name: ['Another issue tracker of this kind has this name.'],
    }),
} as const

const NOT_RESOLVED = 'The issue is no longer resolved.'
const CLOSED_ALREADY = 'It is already closed.'
const UNLINKED = 'The link was removed.'

export function refuseTrackers(count: number): Refusal | null {
  const most = max('trackersPerOrgMax')
  if (count < most) return null
  return refuse('conflict', `An organisation has at most ${most} issue trackers. Delete one first.`)
}

export function refuseLinks(count: number): Refusal | null {
  const most = max('trackerLinksPerIssueMax')
  if (count < most) return null
  return refuse('conflict', `An issue has at most ${most} links. Remove one first.`)
}

/** Facts of a link that its tracker tells. */
export interface KnownRemote {
  readonly title: string
  readonly url: string
  readonly state: RemoteState
  readonly remoteMs: number | null
}

/**
 * A link after what its tracker said, and whether the issue was closed there by it; `null` for old news: webhooks come
 * late, twice and in any order. Times within one second are one time to most trackers.
 */
export function afterNews(
  link: KnownRemote,
  news: RemoteIssue | 'missing',
): { readonly link: KnownRemote; readonly isClosed: boolean } | null {
  if (news === 'missing') return { link: { ...link, state: 'missing' }, isClosed: false }
  const { title, url, state, changedMs } = news
  if (changedMs !== null && link.remoteMs !== null && changedMs < link.remoteMs) return null
  return {
    link: { title, url, state, remoteMs: changedMs ?? link.remoteMs },
    isClosed: state === 'closed' && link.state !== 'closed',
  }
}

/** Why it is not closed there any more; `null`: it is. */
export function reasonNotToClose({
  isResolved,
  link,
}: {
  readonly isResolved: boolean
  /** `null`: it is gone. */
  readonly link: RemoteState | null
}): string | null {
  if (link === null) return UNLINKED
  if (link === 'closed') return CLOSED_ALREADY
  return isResolved ? null : NOT_RESOLVED
}

export function isRefreshDue(checkedMs: number, nowMs: number): boolean {
  return nowMs - checkedMs >= max('trackerRefreshMs')
}

/** When work that was settled is forgotten. */
export function oldestWorkMs(nowMs: number): number {
  return nowMs - max('trackerLogDays') * DAY_MS
}
