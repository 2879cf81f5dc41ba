/** Deletes an attachment of an event. Whoever asks has found it by a query, which says who may see it. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { fileNameOf } from '#model/file-name.ts'
import { ATTACHMENT_NAME, largeName } from '#model/large-item.ts'
import { ATTACHMENTS_KEPT } from '#model/tables/attachments.ts'
import { writeAudit } from './audit-entry.ts'
import { command, type Done } from './command.ts'
import type { CommandParts } from './parts.ts'

/** An alias, not an interface: the table of commands spells it out in its own type. */
type Named = {
  readonly project: ProjectId
  /** 32 hex characters. */
  readonly id: string
}

const ID = /^[0-9a-f]{32}$/

export const deleteAttachment = {
  ...command({
    permission: 'issue.delete',
    about: ({ project }: Named) => ({ project }),
    input: (named: Named) => (ID.test(named.id) ? ok(named) : noAttachment()),
    change: async (tx, { project, id }, { scope, actor }) => {
      const rows = tx.rows(ATTACHMENTS_KEPT)
      const where = { projectId: project, attachment: Buffer.from(id, 'hex') }
      const found = scope.projects.includes(project) ? await rows.one(where) : null
      if (found === null) return noAttachment()
      await rows.remove(where)
      const { name, bytes, day, retentionDays } = found
      const target = Buffer.from(found.event).toString('hex')
      await writeAudit(tx, scope.orgId, actor, {
        action: 'attachment.deleted',
        target,
        detail: { name, bytes },
      })
      const file = fileNameOf({ kind: ATTACHMENT_NAME, day, retentionDays })
      return ok({ blob: file === null ? null : largeName({ file, projectId: project, id }) })
    },
  }),
  async after(
    { largeBlobs }: CommandParts,
    { value: { blob } }: Done<Named, { readonly blob: string | null }>,
  ): Promise<void> {
    if (blob !== null) await largeBlobs?.remove(blob)
  },
}

function noAttachment(): Result<never> {
  return refuse('not_found', 'there is no such attachment')
}
