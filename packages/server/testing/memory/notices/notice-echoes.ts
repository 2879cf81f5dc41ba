/** Looks for what told of an echo's exception. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import {
  EXCEPTION_NOTICES_MAX,
  type ExceptionNotice,
  type QuietEcho,
  quietEcho,
} from '#notices/rules/echoes.ts'
import { groupsOf } from '../rows/issue-view.ts'
import { mailReceivers, newestNoticeFirst, noticeSettings } from '../rows/notice-rows.ts'
import type { DigestRow, NoticeRow, Tables } from '../tables.ts'

export function findQuietEcho(of: Tables, issue: IssueId, project: ProjectId): QuietEcho | null {
  const groups = new Set(groupsOf(of, issue).map(({ id }) => id))
  const digests = of.digests.where(({ groupId }) => groups.has(groupId))
  return quietEcho(() => noticeSettings(of, project), {
    hasDigest: digests.length > 0,
    notices: () => {
      const exceptions = exceptionsOf(of, digests, project).filter((other) => other !== issue)
      return noticesOf(of, exceptions).map((found) => exceptionNotice(of, found, project))
    },
  })
}

/** Issues of the organisation whose events on the server showed one of the digests. */
function exceptionsOf(of: Tables, digests: readonly DigestRow[], project: ProjectId): readonly IssueId[] {
  const org = of.projects.get(project)?.orgId
  const numbers = new Set(digests.map(({ digest }) => digest))
  const groups = of.digests
    .where(({ digest, mirrorCount, count }) => numbers.has(digest) && mirrorCount < count)
    .flatMap(({ groupId }) => of.groups.get(groupId) ?? [])
    .filter(({ projectId }) => of.projects.get(projectId)?.orgId === org)
  return [...new Set(groups.map(({ issueId }) => issueId))]
}

interface Found {
  readonly issue: IssueId
  readonly notice: NoticeRow
}

/** Those not dropped, newest first; a merged issue's notices bear its own number, its redirect's. */
function noticesOf(of: Tables, issues: readonly IssueId[]): readonly Found[] {
  const named = new Map<IssueId | null, IssueId>(issues.map((id) => [id, id]))
  for (const { id, issueId } of of.redirects.all()) if (issues.includes(issueId)) named.set(id, issueId)
  return of.notices
    .where(({ dropped, issueId }) => dropped === null && named.has(issueId))
    .sort(newestNoticeFirst)
    .slice(0, EXCEPTION_NOTICES_MAX)
    .flatMap((notice) => {
      const issue = named.get(notice.issueId)
      return issue === undefined ? [] : [{ issue, notice }]
    })
}

function exceptionNotice(of: Tables, { issue, notice }: Found, project: ProjectId): ExceptionNotice {
  const deliveries = of.deliveries.where(
    ({ noticeId, state }) => noticeId === notice.id && state !== 'cancelled',
  )
  return {
    issue,
    isSameProject: notice.projectId === project,
    isMailedToReaders: () => {
      const readers: ReadonlySet<number | null> = new Set(mailReceivers(of, project).map(({ id }) => id))
      return deliveries.some(({ channel, userId }) => channel === 'mail' && readers.has(userId))
    },
    webhookUrl: () => noticeSettings(of, notice.projectId).webhook?.url ?? null,
    isCalled: () => deliveries.some(({ channel }) => channel === 'webhook'),
  }
}
