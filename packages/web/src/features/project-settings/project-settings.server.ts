import { SLUG_RULE } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import { relayPath } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import { notFound, redirectTo, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { optionFields, seenOptions } from './options.server.ts'
import { seenGeneral, seenKey } from './seen.server.ts'

const DAY_MS = 86_400_000

/** The project of the address, with what every settings page shows of it. */
async function requireProjectWithOrg(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const project = await org.engine.queries.project(org.scope, ctx.params.project ?? '')
  return project === null ? notFound() : { ...org, project }
}

export async function loadGeneral(ctx: LoaderContext) {
  const { scope, project } = await requireProjectWithOrg(ctx)
  const { name, slug, platform, id } = project
  return {
    org: scope.orgSlug,
    seen: seenGeneral(project),
    slugRule: SLUG_RULE,
    project: { id, name, slug, platform },
  }
}

/** From the address that the retention of spans had before. */
export async function leadToRetention(ctx: LoaderContext): Promise<never> {
  const { scope, project } = await requireProjectWithOrg(ctx)
  return redirectTo(paths.projectRetention(scope.orgSlug, project.slug))
}

export async function loadRetention(ctx: LoaderContext) {
  const { engine, scope, project } = await requireProjectWithOrg(ctx)
  const { name, slug, options, id, firstEventMs } = project
  const days = max('spikeBaselineDays')
  return {
    org: scope.orgSlug,
    seen: seenOptions('retention', project),
    project: { name, slug },
    fields: optionFields('retention', options),
    spikes: {
      state: await engine.queries.spikes(scope, id),
      startsMs: firstEventMs === null ? null : firstEventMs + days * DAY_MS,
      days,
      growth: max('spikeGrowthMax'),
      least: max('spikeEventsPerHourMin'),
      newIssues: max('newIssuesPerHourMax'),
    },
  }
}

export async function loadKeys(ctx: LoaderContext) {
  const { engine, scope, project } = await requireProjectWithOrg(ctx)
  const keys = await engine.queries.keys(scope, project.id)
  return {
    org: scope.orgSlug,
    project: { name: project.name, slug: project.slug, id: project.id },
    fields: optionFields('keys', project.options),
    seen: seenOptions('keys', project),
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      public: key.public,
      isActive: key.isActive,
      rateLimit: key.rateLimit,
      seen: seenKey(key),
      createdMs: key.createdMs,
      usedMs: key.usedMs,
      dsn: engine.queries.dsn(key),
    })),
  }
}

export async function loadRelay(ctx: LoaderContext) {
  const { engine, scope, project } = await requireProjectWithOrg(ctx)
  const keys = await engine.queries.keys(scope, project.id)
  const key = keys.find(({ isActive }) => isActive)
  return {
    org: scope.orgSlug,
    project: { name: project.name, slug: project.slug },
    url: engine.publicAddress.url,
    dsn: key === undefined ? null : engine.queries.dsn(key),
    query: relayPath(scope.orgSlug, project.slug).split('?')[1] ?? '',
  }
}

export async function loadScrubbing(ctx: LoaderContext) {
  const { scope, project } = await requireProjectWithOrg(ctx)
  return {
    org: scope.orgSlug,
    seen: seenOptions('scrubbing', project),
    project: { name: project.name, slug: project.slug },
    fields: optionFields('scrubbing', project.options),
  }
}

export async function loadDanger(ctx: LoaderContext) {
  const { engine, scope, project } = await requireProjectWithOrg(ctx)
  return {
    org: scope.orgSlug,
    project: { name: project.name, slug: project.slug, isSelf: project.isSelf },
    size: await engine.queries.projectSize(scope, project.id),
  }
}
