import { type ProjectId, projectId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import type { ReleaseStatus } from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { namesOfProjects, projectChoices } from '#parts/choices.server.ts'
import { requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { listAdoption } from './adoption.server.ts'
import { withFewProjects } from './few-projects.ts'
import { listHealth } from './health.server.ts'
import { RELEASES } from './releases-params.ts'

/** A page of releases. */
export async function loadReleases(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url } = org
  const address = readAddress(RELEASES, url.searchParams)
  const { query: text, project: slug, environment, sort, status, page } = address
  const limit = max('pageRowsDefault')
  const choices = await projectChoices(org, slug === '' ? [] : [slug])
  const chosen = slug === '' ? null : choices.chosen.map(({ id }) => projectId(id))
  const filter = { projects: chosen, text, environments: environment === '' ? [] : [environment], sort }
  const count = async (of: ReleaseStatus) =>
    (await engine.queries.releases(scope, { ...filter, status: of }, { offset: 0, limit: 0 })).total
  const [{ rows, total }, environments, others, adoption] = await Promise.all([
    readable(ctx, 'releases', {
      read: () =>
        engine.queries.releases(scope, { ...filter, status }, { offset: (page - 1) * limit, limit }),
      otherwise: () => ({ rows: [], total: 0, offset: 0, lastId: null }),
    }),
    engine.queries.releaseEnvironments(scope),
    readable(ctx, 'releases', {
      read: () => count(status === 'open' ? 'archived' : 'open'),
      otherwise: () => 0,
    }),
    page > 1 || status === 'archived' || text !== '' ? null : listAdoption(ctx, { chosen, environment }),
  ])
  const versions = rows.map(({ version }) => version)
  const [artifacts, health, letGo] = await Promise.all([
    engine.queries.releaseArtifacts(scope, versions),
    listHealth(ctx, {
      ...{ versions, projects: chosen?.map((id) => ({ id })) ?? null },
      environments: environment === '' ? null : [environment],
    }),
    letGoOf(org, chosen),
  ])
  return {
    org: scope.orgSlug,
    rows: rows.map((row) => ({
      ...withFewProjects(row),
      artifacts: artifacts.find(({ release }) => release === row.version) ?? null,
    })),
    ...{ total, others, page, limit, choices, environments, health, adoption, letGo },
    address,
  }
}

/** Projects that had more releases than are kept, by name. */
async function letGoOf(org: OrgContext, chosen: readonly ProjectId[] | null) {
  const { rows, total } = await org.engine.queries.releasesLetGo(
    ...([org.scope, chosen, max('releasesShownLetGoMax')] as const),
  )
  const named = await namesOfProjects(
    org,
    rows.map(({ projectId: id }) => id),
  )
  return {
    shown: rows.map(({ projectId: id, count, lastMs }) => ({
      project: named.get(id) ?? null,
      count,
      lastMs,
    })),
    more: total - rows.length,
    ofProject: max('releasesPerProjectMax'),
    ofOrganisation: max('releasesPerOrgMax'),
  }
}
