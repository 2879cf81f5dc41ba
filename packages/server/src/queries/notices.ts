/** Reads a project's notices for people. */

import type { PersonViewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { HeldBack, NoticeLogEntry, NoticeSettings, NoticesRead } from '#ports/notices.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'

/** Settings of the operator, given by the composition root. */
export interface NoticeFacts {
  /** Address mail is from; `null` without a mail server. */
  readonly mailFrom: string | null
  /** Whether webhooks may call private networks. */
  readonly privateTargets: boolean
}

export interface NoticesView extends NoticeFacts {
  readonly project: Project
  readonly settings: NoticeSettings
  /** Newest first. */
  readonly log: readonly NoticeLogEntry[]
  /** Notices held back in the last 24 hours. */
  readonly heldBack: HeldBack
}

interface NoticeQueries {
  /** `before`: the last entry of the page of the log before; `null` for the first. */
  notices(scope: ReadScope, ref: string, before: number | null): Promise<NoticesView | null>
  /** Whether mail is sent to the person at all, and whether this server sends any. */
  noticeMail(viewer: PersonViewer): Promise<NoticeFacts & { readonly mail: boolean }>
}

export interface NoticeQueryParts {
  readonly notices: NoticesRead
  readonly noticeFacts: NoticeFacts
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly clock: Clock
}

export function noticeQueries(parts: NoticeQueryParts): NoticeQueries {
  const { notices, noticeFacts, projects, clock } = parts
  return {
    notices: async (scope, ref, before) => {
      const project = await projects.project(scope, ref)
      if (project === null) return null
      const [settings, log, heldBack] = await Promise.all([
        notices.noticeSettings(scope, project.id),
        notices.noticeLog(scope, project.id, { limit: max('noticeLogRows'), before }),
        notices.heldBack(scope, project.id, clock.now() - DAY_MS),
      ])
      return { project, settings, log, heldBack, ...noticeFacts }
    },
    noticeMail: async (viewer) => ({ mail: await notices.noticeMailOf(viewer.user.id), ...noticeFacts }),
  }
}
