/** Adoption as the list of releases draws it. */

import type { ProjectId } from '@errata/server/ids'
import type { AdoptionView } from '@errata/server/queries'
import { namesOfProjects } from '#parts/choices.server.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export type ListedAdoptions = Awaited<ReturnType<typeof listAdoption>>
export type ListedAdoption = ListedAdoptions['views'][number]

/** None where nothing was used: there is nothing to draw. */
export async function listAdoption(
  ctx: LoaderContext,
  asked: {
    readonly chosen: readonly ProjectId[] | null
    readonly environment: string
  },
) {
  const org = requireScope(ctx)
  const { engine, scope } = org
  const { chosen, environment } = asked
  const { views, others } = await engine.queries.adoption(scope, {
    ...{ projects: chosen, environment: environment === '' ? null : environment },
  })
  const named = await namesOfProjects(
    org,
    views.map(({ projectId }) => projectId),
  )
  const slugOf = (view: AdoptionView) => named.get(view.projectId)?.slug
  // One chart: of the chosen project, else of the one that is used most. The rest is counted.
  const shown = views.slice(0, 1)
  const left = views.length - shown.length
  return {
    views: shown.map((view) => adoptionSeries(view, { environment, project: slugOf(view) })),
    others: others + left,
  }
}

function adoptionSeries(
  view: AdoptionView,
  { environment, project }: { readonly environment: string; readonly project: string | undefined },
) {
  const { projectId, counted, startMs, stepMs, endMs, totals, others } = view
  return {
    project: project ?? String(projectId),
    ...{ counted, environment, startMs, stepMs, endMs, totals, others },
    releases: view.releases.map(({ version, counts, lately, deployedMs }) => ({
      ...{ version, counts, lately, at: firstAdoption(view, { counts, deployedMs }) },
    })),
  }
}

/** When it was deployed, else when it was first used; `null` where it was used before the range. */
function firstAdoption(
  { startMs, stepMs }: AdoptionView,
  { counts, deployedMs }: Pick<AdoptionView['releases'][number], 'counts' | 'deployedMs'>,
) {
  const first = counts.findIndex((count) => count > 0)
  if (deployedMs === null && first <= 0) return null
  const ms = deployedMs ?? startMs + first * stepMs
  return { ms, isDeploy: deployedMs !== null }
}
