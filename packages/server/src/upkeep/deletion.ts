/**
 * Deleting issues and projects, on the commit thread. The control store writes the tombstones; the column store must
 * know them before the command answers, or a query would still find the events.
 */
import type { Log } from '#base/log.ts'
import type { Deletions } from '#ports/deletions.ts'
import type { ControlCommit } from '#ports/ingest.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'

interface DeletionParts {
  readonly control: Deletions & Pick<ControlCommit, 'hidden'>
  readonly telemetry: Pick<TelemetryStore, 'setHidden'>
  /** Removes envelopes set aside whose project is gone. */
  readonly removeQuarantine: () => Promise<unknown>
  readonly log: Log
}

export function createDeletion({ control, telemetry, removeQuarantine, log }: DeletionParts): Deletions {
  const hide = async () => telemetry.setHidden(await control.hidden())
  return {
    async deleteProject(org, id, actor) {
      const answer = await control.deleteProject(org, id, actor)
      await hide()
      await removeQuarantine().catch((cause: unknown) => {
        // Housekeeping tries again.
        log.warn('quarantined envelopes were not deleted', { reason: String(cause).slice(0, 200) })
      })
      return answer
    },
  }
}
