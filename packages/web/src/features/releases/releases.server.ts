import { projectId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { RELEASE_SORTS, type ReleaseStatus } from '@errata/server/queries'
import { projectChoices } from '#parts/choices.server.ts'
import { requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { listAdoption } from './adoption.server.ts'
import { listHealth } from './health.server.ts'

const TEXT_CHARS_MAX = max('releaseCharsMax')

/** A page of releases. */
export async function loadReleases(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url } = org
  const typed = (name: string) => (url.searchParams.get(name) ?? '').trim().slice(0, TEXT_CHARS_MAX)
  const [text, slug, environment] = [typed('query'), typed('project'), typed('environment')]
  const sort = RELEASE_SORTS.find((each) => each === typed('sort')) ?? 'semver'
  const status: ReleaseStatus = typed('status') === 'archived' ? 'archived' : 'open'
  const page = Math.min(Math.max(1, Math.floor(Number(typed('page')) || 1)), PAGES_MAX)
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
      otherwise: () => ({ rows: [], total: 0 }),
    }),
    engine.queries.releaseEnvironments(scope),
    readable(ctx, 'releases', {
      read: () => count(status === 'open' ? 'archived' : 'open'),
      otherwise: () => 0,
    }),
    page > 1 || status === 'archived' || text !== '' ? null : listAdoption(ctx, { chosen, environment }),
  ])
  const versions = rows.map(({ version }) => version)
  const [artifacts, health] = await Promise.all([
    engine.queries.releaseArtifacts(scope, versions),
    listHealth(ctx, {
      ...{ versions, projects: chosen?.map((id) => ({ id })) ?? null },
      environments: environment === '' ? null : [environment],
    }),
  ])
  return {
    org: scope.orgSlug,
    rows: rows.map((row) => ({
      ...row,
      artifacts: artifacts.find(({ release }) => release === row.version) ?? null,
    })),
    ...{ total, others, page, limit, choices, environments, health, adoption },
    address: { query: text, project: slug, environment, sort, status },
  }
}

/** More pages than the greatest number of releases fills. */
const PAGES_MAX = 10_000
