import { projectId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { readAddress } from '#parts/address.ts'
import { projectChoices } from '#parts/choices.server.ts'
import { rangeOf } from '#parts/ranges.ts'
import { requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { SKEW, type SkewAddress } from './skew-address.ts'
import { type DeployRow, frameworkOf } from './skew-text.ts'

/** Every deploy with stale clicks, and one of them whole. */
export async function loadSkew(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url, nowMs } = org
  const address = readAddress(SKEW, url.searchParams)
  const { project, environment } = address
  const range = { startMs: nowMs - rangeOf(address.range).ms, endMs: nowMs + SOON_MS }
  const filter = { range, project, environment }
  const [deploys, choices] = await Promise.all([
    readable(ctx, 'deploys', { read: () => engine.queries.skewDeploys(scope, filter), otherwise: () => [] }),
    projectChoices(org, project === null ? [] : [project]),
  ])
  const wanted = project === null ? null : choices.chosen.map(({ id }) => projectId(id))
  const environments = await engine.queries.environments(scope, wanted)
  const names = environments.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
  const chosen = chosenDeploy(deploys, address)
  const deploy = await readable(ctx, 'deploys', {
    read: async () => (chosen === null ? null : engine.queries.skewDeploy(scope, filter, chosen.id)),
    otherwise: () => null,
  })
  return {
    ...{ org: scope.orgSlug, address, nowMs, deploys, deploy },
    deploysMax: max('skewDeploysShownMax'),
    framework: address.framework ?? frameworkOf(deploy?.sdk ?? null),
    isGone: address.deploy !== null && chosen?.id !== address.deploy,
    choices,
    environments: [...new Set(names)],
  }
}

/** Clocks of browsers that are a little ahead. */
const SOON_MS = 3_600_000

export type SkewData = Awaited<ReturnType<typeof loadSkew>>

/** The one of the address; else the newest that any click failed after. */
function chosenDeploy(deploys: readonly DeployRow[], { deploy, release }: SkewAddress): DeployRow | null {
  const byId = deploys.find(({ id }) => id === deploy)
  const byRelease =
    release === null
      ? undefined
      : (deploys.find((one) => one.release === release) ??
        deploys.find(({ fromReleases }) => fromReleases.includes(release)))
  return byId ?? byRelease ?? deploys.find(({ count }) => count > 0) ?? deploys[0] ?? null
}
