/** Rows of notices, as queue, deliveries and reads share them. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { mainRequestKind } from '#issues/main-request-kind.ts'
import { opensEveryProject } from '#model/account-rules.ts'
import { CAUSES, readCause } from '#notices/rules/cause.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import {
  NOTICE_SETTINGS_DEFAULT,
  type Notice,
  type NoticeIssue,
  type NoticeSettings,
} from '#ports/notices.ts'
import type { IssueRow } from '../issue-tables.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import type { GroupRow, NoticeRow, Tables, UserRow } from '../tables.ts'
import { newestDigestFirst } from './digests.ts'
import { groupsOf, issueView } from './issue-view.ts'
import { projectsOpenTo } from './members.ts'

export const newestNoticeFirst = inOrder<NoticeRow>(
  descending(({ atMs }) => atMs),
  descending(({ id }) => id),
)

/** Without the secret. */
export function noticeSettings(of: Tables, project: ProjectId): NoticeSettings {
  const { mail, quietHours, webhook } = of.noticeSettings.get(project) ?? NOTICE_SETTINGS_DEFAULT
  return {
    ...{ mail, quietHours },
    webhook: webhook === null ? null : { url: webhook.url, changedMs: webhook.changedMs },
  }
}

/** Members who may read the project and take mail, oldest account first. */
export function mailReceivers(of: Tables, project: ProjectId): readonly UserRow[] {
  const org = of.projects.get(project)?.orgId
  return of.memberships
    .where(({ orgId, userId }) => orgId === org && takesMail(of, { org: orgId, user: userId, project }))
    .flatMap(({ userId }) => of.users.get(userId) ?? [])
    .sort(byId)
}

/** The same of an organisation; `project` null: of several projects, which owners and managers read. */
export function opensToMail(of: Tables, org: OrgId, project: ProjectId | null): readonly UserRow[] {
  if (project !== null) return mailReceivers(of, project)
  return of.memberships
    .where(
      ({ orgId, userId, role }) => orgId === org && opensEveryProject(role) && !of.noticeMailOff.has(userId),
    )
    .flatMap(({ userId }) => of.users.get(userId) ?? [])
    .sort(byId)
}

function takesMail(
  of: Tables,
  { org, user, project }: { readonly org: OrgId; readonly user: UserId; readonly project: ProjectId },
): boolean {
  return !of.noticeMailOff.has(user) && projectsOpenTo(of, org, user).includes(project)
}

/** The issue as it is now: itself, or what it was merged into; `undefined` when it is gone. */
/** While it is one of the notice's project: who reads the alert may read that one alone. */
export function issueOfNotice(
  of: Tables,
  notice: Pick<NoticeRow, 'issueId' | 'issueNumber' | 'projectId'>,
): IssueRow | undefined {
  const owner = ownerOfNotice(of, notice)
  return owner?.projectId === notice.projectId ? owner : undefined
}

export function ownerOfNotice(
  of: Tables,
  { issueId, issueNumber, projectId }: Pick<NoticeRow, 'issueId' | 'issueNumber' | 'projectId'>,
): IssueRow | undefined {
  if (issueId === null) return undefined
  const merged = of.redirects.find((row) => row.projectId === projectId && row.number === issueNumber)
  return of.issues.get(issueId) ?? (merged === undefined ? undefined : of.issues.get(merged.issueId))
}

/** Everything that is told, as it stands now; `null` when its issue is gone. */
export function readNotice(of: Tables, id: number): Notice | null {
  const row = of.notices.get(id)
  const project = row === undefined ? undefined : of.projects.get(row.projectId)
  const organisation = project === undefined ? undefined : of.organisations.get(project.orgId)
  if (row === undefined || project === undefined || organisation === undefined) return null
  const base = {
    ...{ id, kind: row.kind, atMs: row.atMs, organisation: organisation.slug },
    project: { id: project.id, slug: project.slug, name: project.name },
  }
  if (row.kind === 'summary') {
    const { newIssues, returnedIssues, echoIssues } = row
    return { ...base, issue: null, rest: { newIssues, returnedIssues, echoIssues } }
  }
  const issue = issueOfNotice(of, row)
  return issue === undefined ? null : { ...base, issue: toldIssue(of, issue), rest: null }
}

export function toldIssue(of: Tables, issue: IssueRow): NoticeIssue {
  const groups = groupsOf(of, issue.id)
  const view = issueView(of, issue, { groups, newSinceMs: 0 })
  const { shortId, title, culprit, level, eventCount, firstSeenMs, lastSeenMs, route } = view
  const cause = causeOf(of, issue.id)
  return {
    ...{ shortId, title, culprit, level, eventCount, firstSeenMs, lastSeenMs, route },
    number: issue.number,
    userCount: view.users.count,
    requestKind: mainRequestKind(new Map(view.kinds.map(({ kind, count }) => [kind, count]))),
    digest: newestDigest(of, groups),
    isMirror: isMirror(view),
    release: cause.release ?? view.lastRelease,
    environment: newestEnvironment(groups),
    eventId: cause.eventId,
    traceId: cause.traceId,
  }
}

/** The event that began the issue or brought it back last, as its activity tells. */
function causeOf(of: Tables, issue: IssueId): Pick<NoticeIssue, 'eventId' | 'release' | 'traceId'> {
  const causes = of.activities.where(({ issueId, kind }) => issueId === issue && CAUSES.includes(kind))
  return readCause(causes.sort(descending(({ id }) => id))[0]?.detail)
}

function newestDigest(of: Tables, groups: readonly GroupRow[]): NoticeIssue['digest'] {
  const ids = new Set(groups.map(({ id }) => id))
  const [newest] = of.digests.where(({ groupId }) => ids.has(groupId)).sort(newestDigestFirst)
  return newest?.digest ?? null
}

function newestEnvironment(groups: readonly GroupRow[]): string | null {
  const seen = groups.flatMap(({ tags }) => [...(tags.keys.get('environment')?.values ?? [])])
  const [newest] = seen.sort(
    inOrder(
      descending(([, { lastMs }]) => lastMs),
      ascending(([value]) => value),
    ),
  )
  return newest?.[0] ?? null
}

/** With their deliveries. */
export function deleteNotices(to: Tables, unwanted: (row: NoticeRow) => boolean): void {
  const gone = new Set(to.notices.deleteWhere(unwanted).map(({ id }) => id))
  if (gone.size > 0) to.deliveries.deleteWhere(({ noticeId }) => gone.has(noticeId))
}
