/** Adoption as the list of releases draws it. */

import type { ProjectId } from '@errata/server/ids'
import type { AdoptionView } from '@errata/server/queries'
import { namesOfProjects } from '#parts/choices.server.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export type ListedAdoptions = Awaited<ReturnType<typeof listAdoption>>
export type ListedAdoption = ListedAdoptions['views'][number]

const DAY_MS = 86_400_000

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
    views: shown.map((view) => listed(view, { environment, project: slugOf(view) })),
    others: others + left,
  }
}

function listed(
  view: AdoptionView,
  { environment, project }: { readonly environment: string; readonly project: string | undefined },
) {
  const { projectId, counted, startMs, stepMs, endMs, totals, others } = view
  return {
    project: project ?? String(projectId),
    ...{ counted, environment, startMs, stepMs, endMs, totals, others, days: daysOf(view) },
    releases: view.releases.map(({ version, counts, lately, deployedMs }) => ({
      ...{ version, counts, lately, at: beginningOf(view, { counts, deployedMs }) },
    })),
  }
}

/** Midnights in UTC, with room for the word at the end. */
function daysOf({ startMs, endMs }: AdoptionView) {
  const first = Math.ceil(startMs / DAY_MS) * DAY_MS
  const days = Array.from({ length: Math.ceil((endMs - first) / DAY_MS) }, (_, day) => first + day * DAY_MS)
  return days.map((ms) => ({ ms, part: (ms - startMs) / (endMs - startMs) })).filter(({ part }) => part < 0.9)
}

/** When it was deployed, else when it was first used; `null` where it was used before the range. */
function beginningOf(
  { startMs, stepMs, endMs }: AdoptionView,
  { counts, deployedMs }: Pick<AdoptionView['releases'][number], 'counts' | 'deployedMs'>,
) {
  const first = counts.findIndex((count) => count > 0)
  if (deployedMs === null && first <= 0) return null
  const ms = deployedMs ?? startMs + first * stepMs
  return { ms, part: (ms - startMs) / (endMs - startMs), isDeploy: deployedMs !== null }
}
