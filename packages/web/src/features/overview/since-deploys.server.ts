/** The newest releases of the overview, each with what came with it and against the one before at the same age. */
import type { ProjectId } from '@errata/server/ids'
import type { ReadScope } from '@errata/server/queries'
import type { ReleaseRow } from '#parts/release-marks.server.ts'
import type { OrgContext } from '#wire/types.ts'
import { chosenReleases } from './chosen-releases.ts'

/** Newest releases that the shown ones are chosen from. */
const RELEASES_CHOSEN_FROM = 20
const RELEASES_SHOWN = 3

/** Chooses among the newest releases of `projects` (`null`: of the whole scope), and reads what came with the chosen. */
export async function sinceDeploys(
  { engine }: OrgContext,
  { scope, projects }: { readonly scope: ReadScope; readonly projects: readonly ProjectId[] | null },
  newest: readonly ReleaseRow[],
) {
  const rows = newest.slice(0, RELEASES_CHOSEN_FROM)
  const health = await engine.queries.releaseHealth(scope, {
    ...{ projects, environments: null },
    versions: rows.map(({ version }) => version),
  })
  const chosen = chosenReleases(
    rows.map((row) => ({ ...row, sessions: health.get(row.version)?.lastDay?.sessions ?? 0 })),
    RELEASES_SHOWN,
  )
  return Promise.all(
    chosen.map(async (row) => {
      const own = health.get(row.version)
      const totals = own?.totals
      return {
        version: row.version,
        atMs: row.lastDeploy?.finishedMs ?? row.releasedMs ?? row.createdMs,
        newIssues: row.projects.reduce((sum, { newIssues }) => sum + newIssues, 0),
        ...{ regressed: row.regressedIssues, resolved: row.resolvedIssues },
        adoption: own?.adoption.sessions ?? null,
        // As the list of releases says it.
        crashFree:
          totals === undefined || totals.sessions === 0 ? null : 1 - totals.crashed / totals.sessions,
        compared: await engine.queries.releaseAtAge(scope, row.version),
      }
    }),
  )
}
