/** Links of issues to those of trackers, and what trackers say of them. */
import type { IssueId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { resolve, stateBefore } from '#issues/issue-changes.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import type { RemoteIssue, TrackersRead, TrackersWrite } from '#ports/trackers.ts'
import { afterNews, refuseLinks, TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import { nameOfTracker } from '#trackers/rules/names.ts'
import { choose } from '../issues/chosen-issues.ts'
import { chosenIssue } from '../issues/merging.ts'
import { tellFollowers } from '../notices/tellings.ts'
import { byId } from '../order.ts'
import { writeActivity } from '../rows/issue-rows.ts'
import { isReadable } from '../rows/readable-issues.ts'
import { queueClosing } from '../rows/tracker-rows.ts'
import type { Tables } from '../tables.ts'
import type { TrackerLinkRow } from '../tracker-tables.ts'
import { trackerOf } from './trackers.ts'

export function trackerLinksRead(of: Tables): Pick<TrackersRead, 'trackerLinks'> {
  return {
    trackerLinks: async (scope, issue) => {
      if (!isReadable(of, scope, issue)) return []
      const links = of.trackerLinks.where(({ issueId }) => issueId === issue).sort(byId)
      return links.flatMap(({ trackerId, remoteMs: _, ...link }) => {
        const tracker = of.trackers.get(trackerId)
        if (tracker === undefined) return []
        const { id, kind, name } = tracker
        return [{ ...link, tracker: { id, kind, name } }]
      })
    },
  }
}

export function trackerLinksWrite(to: Tables): Pick<TrackersWrite, 'linkIssue' | 'unlinkIssue' | 'takeNews'> {
  return {
    linkIssue: async (change, asked, actor) => to.transaction(() => link(to, { change, ...asked }, actor)),
    unlinkIssue: async (change, id, actor) => to.transaction(() => unlink(to, { change, id }, actor)),
    takeNews: async (tracker, news, nowMs) =>
      to.transaction(() => {
        if (to.trackers.has(tracker)) to.trackers.change(tracker, { heardMs: nowMs })
        const links = to.trackerLinks.where(({ trackerId, ref }) => trackerId === tracker && ref === news.ref)
        return links.sort(byId).flatMap(({ id }) => noteRemote(to, id, { news, nowMs }))
      }),
  }
}

interface Linking {
  readonly change: IssueChange
  readonly trackerId: number
  readonly remote: RemoteIssue
  readonly isNew: boolean
}

function link(
  to: Tables,
  { change, trackerId, remote, isNew }: Linking,
  actor: Actor,
): Result<{ readonly id: number }> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const [issue] = chosen.value
  if (issue === undefined) return TRACKER_REFUSALS.noIssue()
  const tracker = trackerOf(to, change.orgId, trackerId)
  if (tracker === null) return TRACKER_REFUSALS.noTracker()
  const links = to.trackerLinks.where(({ issueId }) => issueId === issue.id)
  if (links.some((one) => one.trackerId === trackerId && one.ref === remote.ref))
    return TRACKER_REFUSALS.linked()
  const refused = refuseLinks(links.length)
  if (refused !== null) return refused
  const id = to.trackerLinks.nextId()
  const { changedMs: remoteMs, ...shown } = remote
  const atMs = Math.floor(actor.atMs)
  to.trackerLinks.put(id, {
    ...{ id, issueId: issue.id, trackerId, ...shown, remoteMs, checkedMs: atMs },
    ...{ createdBy: actor.label, createdMs: atMs },
  })
  const detail = { ref: remote.ref, url: remote.url, tracker: tracker.name, kind: tracker.kind, isNew }
  writeActivity(to, issue.id, { kind: 'linked', atMs: actor.atMs, actor, detail })
  return ok({ id })
}

function unlink(
  to: Tables,
  { change, id }: { readonly change: IssueChange; readonly id: number },
  actor: Actor,
): Result<null> {
  const chosen = choose(to, change)
  if (!chosen.ok) return chosen
  const [issue] = chosen.value
  if (issue === undefined) return TRACKER_REFUSALS.noIssue()
  const row = to.trackerLinks.get(id)
  const tracker = row === undefined ? undefined : to.trackers.get(row.trackerId)
  if (row === undefined || tracker === undefined || row.issueId !== issue.id) return TRACKER_REFUSALS.noLink()
  to.trackerLinks.delete(id)
  const detail = { ref: row.ref, url: row.url, tracker: tracker.name, kind: tracker.kind }
  writeActivity(to, issue.id, { kind: 'unlinked', atMs: actor.atMs, actor, detail })
  return ok(null)
}

/** The link is written first: what resolves the issue then finds it closed, and closes nothing. */
export function noteRemote(
  to: Tables,
  id: number,
  { news, nowMs }: { readonly news: RemoteIssue | 'missing'; readonly nowMs: number },
): readonly IssueId[] {
  const before = to.trackerLinks.get(id)
  const tracker = before === undefined ? undefined : to.trackers.get(before.trackerId)
  const after = before === undefined ? null : afterNews(before, news)
  if (before === undefined || tracker === undefined || after === null) return []
  to.trackerLinks.change(id, { ...after.link, checkedMs: nowMs })
  if (!after.isClosed || !tracker.resolvesHere) return []
  return resolveByNews(to, before, { label: nameOfTracker(tracker.kind, before.ref), nowMs })
}

function resolveByNews(
  to: Tables,
  { issueId }: TrackerLinkRow,
  { label, nowMs }: { readonly label: string; readonly nowMs: number },
): readonly IssueId[] {
  const row = to.issues.get(issueId)
  if (row === undefined || row.substatus === 'waiting' || row.status === 'resolved') return []
  const issue = chosenIssue(to, row)
  const step = resolve(issue, { atMs: nowMs, resolvedIn: null })
  if (step === null) return []
  to.issues.change(issueId, step.state)
  const actor = { userId: null, tokenId: null, address: null, label, atMs: nowMs }
  const { kind, detail } = step
  const note = { kind, detail, atMs: nowMs, actor, before: stateBefore(issue) }
  tellFollowers(to, issueId, writeActivity(to, issueId, note), actor)
  queueClosing(to, issueId, nowMs)
  return [issueId]
}
