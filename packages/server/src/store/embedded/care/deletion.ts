/**
 * Does what follows from deleting issues, people and projects, on the commit thread. The control store wrote the tombstones; the column
 * store must know them before the command answers, or a query would still find the events.
 */

import type { Log } from '#base/log.ts'
import type { Deleted } from '#ports/deletions.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { removeOfProject, sweepHidden } from './retention/sweep-attachments.ts'
import type { AttachmentsUpkeep } from './stores/control.ts'
import type { LargeBlobCare } from './stores/large-blobs.ts'

interface DeletionParts {
  readonly control: AttachmentsUpkeep & Pick<ControlCommit, 'hidden'>
  readonly telemetry: Pick<TelemetryStore, 'setHidden'>
  readonly largeBlobs: LargeBlobCare
  /** Removes envelopes set aside whose project is gone. */
  readonly removeQuarantine: () => Promise<unknown>
  readonly log: Log
}

/** Makes what hides the events of that which a change deleted, and removes their attachments. */
export function createDeletion({
  control,
  telemetry,
  largeBlobs,
  removeQuarantine,
  log,
}: DeletionParts): (deleted: Deleted) => Promise<void> {
  const housekeeping = async (what: string, work: Promise<unknown>) => {
    await work.catch((cause: unknown) => {
      // The next step of retention tries again.
      log.warn(`${what} were not deleted`, { reason: String(cause).slice(0, 200) })
    })
  }
  return async (deleted) => {
    await telemetry.setHidden(await control.hidden())
    if (deleted === 'issues' || deleted === 'people')
      return housekeeping('attachments', sweepHidden({ control, largeBlobs }))
    await housekeeping('quarantined envelopes', removeQuarantine())
    await housekeeping('attachments', removeOfProject(largeBlobs, deleted.project))
  }
}
