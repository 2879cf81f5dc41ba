/** What people see of notices: settings, the log, what was held back. */
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { heldBackHour } from '#notices/rules/ages.ts'
import { foldedText } from '#notices/rules/deliveries.ts'
import type { DeliveryGroup, HeldBack, NoticeLogEntry, NoticesRead } from '#ports/notices.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { IssueRow } from '../issue-tables.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { groupsOf, issueView, sumOver } from '../rows/issue-view.ts'
import { issueOfNotice, newestNoticeFirst, noticeSettings } from '../rows/notice-rows.ts'
import { readableProjects } from '../rows/readable.ts'
import { isReadable } from '../rows/readable-issues.ts'
import type { DeliveryRow, NoticeRow, Tables } from '../tables.ts'

export function noticesRead(of: Tables): NoticesRead {
  return {
    noticeSettings: async (scope, project) =>
      readableProjects(of, scope).has(project) ? noticeSettings(of, project) : NOTICE_SETTINGS_DEFAULT,
    noticeLog: async (scope, project, { limit, before }) => {
      if (!readableProjects(of, scope).has(project)) return []
      const all = of.notices.where(({ projectId }) => projectId === project).sort(newestNoticeFirst)
      const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1
      if (before !== null && from === 0) return []
      return all.slice(from, from + limit).map((row) => logEntry(of, scope, row))
    },
    heldBack: async (scope, project, sinceMs) => {
      const rows = readableProjects(of, scope).has(project)
        ? of.heldBack.where((row) => row.projectId === project && row.hour >= heldBackHour(sinceMs))
        : []
      const count = (reason: keyof HeldBack) =>
        sumOver(
          rows.filter((row) => row.reason === reason),
          (row) => row.count,
        )
      return { quiet: count('quiet'), mirror: count('mirror'), summarised: count('summarised') }
    },
    noticeMailOf: async (user) => !of.noticeMailOff.has(user),
  }
}

/** A merged issue is shown as what it was merged into. */
function logEntry(of: Tables, scope: ReadScope, row: NoticeRow): NoticeLogEntry {
  const { id, kind, atMs, dueMs, heldBack, newIssues, returnedIssues, echoIssues } = row
  const issue = issueOfNotice(of, row)
  return {
    ...{ id, kind, atMs, dueMs, heldBack },
    dropped: droppedText(of, scope, row),
    issue: issue === undefined ? null : nameOf(of, issue),
    rest: kind === 'summary' ? { newIssues, returnedIssues, echoIssues } : null,
    deliveries: deliveryGroups(of, id),
  }
}

/** Names the exception that kept an echo quiet to who may read it. */
function droppedText(of: Tables, scope: ReadScope, { dropped, echoOf }: NoticeRow): string | null {
  const exception = echoOf === null ? undefined : of.issues.get(echoOf)
  if (exception === undefined || !isReadable(of, scope, exception.id)) return dropped
  const slug = of.projects.get(exception.projectId)?.slug ?? ''
  return foldedText(shortId(slug, exception.number))
}

function nameOf(of: Tables, issue: IssueRow): NonNullable<NoticeLogEntry['issue']> {
  const view = issueView(of, issue, { groups: groupsOf(of, issue.id), newSinceMs: 0 })
  return { shortId: view.shortId, title: view.title }
}

function deliveryGroups(of: Tables, notice: number): readonly DeliveryGroup[] {
  const groups = new Map<string, DeliveryRow[]>()
  for (const delivery of of.deliveries.where(({ noticeId }) => noticeId === notice)) {
    const name = `${delivery.channel} ${delivery.state}`
    groups.set(name, [...(groups.get(name) ?? []), delivery])
  }
  return [...groups].sort(ascending(([name]) => name)).flatMap(([, rows]) => deliveryGroup(of, rows))
}

function deliveryGroup(of: Tables, rows: readonly DeliveryRow[]): readonly DeliveryGroup[] {
  const [mostTried] = rows.toSorted(
    inOrder(
      descending(({ tries }) => tries),
      descending(({ id }) => id),
    ),
  )
  if (mostTried === undefined) return []
  const { channel, state, tries, says } = mostTried
  const nexts = state === 'waiting' ? rows.flatMap(({ dueMs }) => dueMs ?? []) : []
  const settles = rows.flatMap(({ settledMs }) => settledMs ?? [])
  const receivers = state === 'failed' ? rows.flatMap(({ userId }) => emailOf(of, userId)).sort() : []
  return [
    {
      ...{ channel, state, count: rows.length, tries, says },
      nextMs: nexts.length === 0 ? null : Math.min(...nexts),
      settledMs: settles.length === 0 ? null : Math.max(...settles),
      receivers: receivers.slice(0, max('noticeReceiversMax')),
    },
  ]
}

function emailOf(of: Tables, user: DeliveryRow['userId']): readonly string[] {
  const email = user === null ? undefined : of.users.get(user)?.email
  return email === undefined ? [] : [email]
}
