/** Attachments of events. Whoever may see an event may see what came with it; who may not is told of neither. */
import type { Clock } from '#base/clock.ts'
import { dayOf, type EventId, type ProjectId, readEventId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isPast } from '#model/hidden.ts'
import { ATTACHMENT_NAME, largeName } from '#model/large-item.ts'
import type { AttachmentPlace, AttachmentsRead, StoredAttachment } from '#ports/attachments.ts'
import type { ByteRange, LargeBlobs } from '#ports/blobs.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { FindEvent } from './find-event.ts'
import { servedType } from './served-type.ts'

export interface AttachmentView
  extends Pick<
    StoredAttachment,
    'projectId' | 'id' | 'eventId' | 'name' | 'contentType' | 'type' | 'bytes' | 'sha256' | 'receivedMs'
  > {
  /** Type under which it is sent: one of ours, whatever the client stated. */
  readonly servedAs: string
  /** True for a picture of a kind that runs nothing. */
  readonly isPicture: boolean
}

/** An attachment that is to be sent. */
export interface AttachmentFile {
  readonly view: AttachmentView
  /** Its bytes, or a range of them; `null` where they are gone. */
  open(range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
}

interface AttachmentQueries {
  /** `null`: there is no such event, or the viewer may not see it. */
  attachments(scope: ReadScope, project: string, eventId: string): Promise<readonly AttachmentView[] | null>
  /** `null` as well for an attachment of another event. */
  attachment(
    scope: ReadScope,
    project: string,
    of: { readonly eventId: string; readonly id: string },
  ): Promise<AttachmentFile | null>
  /** Returns attachments of an issue’s events, the newest first; `null` for no such issue. */
  issueAttachments(
    scope: ReadScope,
    ref: string,
    page: { readonly limit: number; readonly before: AttachmentPlace | null },
  ): Promise<readonly AttachmentView[] | null>
}

export interface AttachmentParts {
  readonly attachments: AttachmentsRead
  readonly largeBlobs: Pick<LargeBlobs, 'read' | 'bytes'>
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly issues: Pick<IssuesRead, 'issue' | 'groups'>
  readonly findEvent: FindEvent
  /** True if the project has a transaction of that id which the viewer may see. */
  readonly hasTransaction: (scope: ReadScope, project: ProjectId, id: EventId) => Promise<boolean>
  readonly clock: Clock
}

export function attachmentQueries(parts: AttachmentParts): AttachmentQueries {
  const ofEvent = async (scope: ReadScope, ref: string, eventId: string) => {
    const id = readEventId(eventId)
    const project = id === null ? null : await parts.projects.project(scope, ref)
    if (id === null || project === null || !(await isSeen(parts, scope, { project, id }))) return null
    const all = await parts.attachments.attachmentsOf(project.id, id)
    return { project, kept: all.filter((one) => isAttachmentKept(one, project, parts.clock)) }
  }
  return {
    attachments: async (scope, ref, eventId) =>
      (await ofEvent(scope, ref, eventId))?.kept.map(attachmentView) ?? null,
    async attachment(scope, ref, { eventId, id }) {
      const found = (await ofEvent(scope, ref, eventId))?.kept.find((one) => one.id === id.toLowerCase())
      return found === undefined ? null : openAttachment(parts, found)
    },
    issueAttachments: (scope, ref, page) => readIssueAttachments(parts, scope, { ref, page }),
  }
}

async function isSeen(
  { findEvent, hasTransaction }: AttachmentParts,
  scope: ReadScope,
  { project, id }: { readonly project: Project; readonly id: EventId },
): Promise<boolean> {
  return (await findEvent(scope, id, project.id)) !== null || hasTransaction(scope, project.id, id)
}

function isAttachmentKept({ day }: StoredAttachment, { options }: Project, clock: Clock): boolean {
  return !isPast(day, options.attachmentRetentionDays, dayOf(clock.now()))
}

async function readIssueAttachments(
  { attachments, issues, projects, clock }: AttachmentParts,
  scope: ReadScope,
  {
    ref,
    page,
  }: { readonly ref: string; readonly page: Parameters<AttachmentsRead['attachmentsOfGroups']>[1] },
): Promise<readonly AttachmentView[] | null> {
  const issue = await issues.issue(scope, ref)
  const project = issue === null ? null : await projects.project(scope, String(issue.projectId))
  if (issue === null || project === null) return null
  const groups = (await issues.groups(scope, issue.id)).filter(({ projectId }) =>
    scope.projects.includes(projectId),
  )
  const limit = Math.min(page.limit, max('issueAttachmentsMax'))
  const found = await attachments.attachmentsOfGroups(groups, { ...page, limit })
  return found.filter((one) => isAttachmentKept(one, project, clock)).map(attachmentView)
}

function openAttachment({ largeBlobs }: AttachmentParts, stored: StoredAttachment): AttachmentFile {
  const { day, retentionDays, projectId, id } = stored
  const name = largeName({ file: { kind: ATTACHMENT_NAME, day, retentionDays }, projectId, id })
  return { view: attachmentView(stored), open: (range) => largeBlobs.read(name, range) }
}

function attachmentView(stored: StoredAttachment): AttachmentView {
  const { projectId, id, eventId, name, contentType, type, bytes, sha256, receivedMs } = stored
  const served = servedType({ name, contentType })
  const said = { projectId, id, eventId, name, contentType, type, bytes, sha256, receivedMs }
  return { ...said, servedAs: served.type, isPicture: served.isPicture }
}
