/**
 * Deleting issues and projects, on the commit thread. The control store writes the tombstones; the column store must
 * know them before the command answers, or a query would still find the events.
 */
import type { Log } from '#base/log.ts'
import type { AttachmentsUpkeep } from '#ports/attachments.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { Deletions } from '#ports/deletions.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { removeOfProject, sweepHidden } from './retention/sweep-attachments.ts'

interface DeletionParts {
  readonly control: Deletions & AttachmentsUpkeep & Pick<ControlCommit, 'hidden'>
  readonly telemetry: Pick<TelemetryStore, 'setHidden'>
  readonly largeBlobs: LargeBlobs
  /** Removes envelopes set aside whose project is gone. */
  readonly removeQuarantine: () => Promise<unknown>
  readonly log: Log
}

export interface DeletionWork extends Deletions {
  /** Hides the events of issues that a change deleted, and removes their attachments. */
  issuesDeleted(): Promise<void>
}

export function createDeletion({
  control,
  telemetry,
  largeBlobs,
  removeQuarantine,
  log,
}: DeletionParts): DeletionWork {
  const hide = async () => telemetry.setHidden(await control.hidden())
  const housekeeping = async (what: string, work: Promise<unknown>) => {
    await work.catch((cause: unknown) => {
      // The next step of retention tries again.
      log.warn(`${what} were not deleted`, { reason: String(cause).slice(0, 200) })
    })
  }
  return {
    async issuesDeleted() {
      await hide()
      await housekeeping('attachments', sweepHidden({ control, largeBlobs }))
    },
    async deleteProject(org, id, actor) {
      const answer = await control.deleteProject(org, id, actor)
      await hide()
      await housekeeping('quarantined envelopes', removeQuarantine())
      if (answer.ok) await housekeeping('attachments', removeOfProject(largeBlobs, id))
      return answer
    },
  }
}
