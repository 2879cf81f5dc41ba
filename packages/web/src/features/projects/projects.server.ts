import { SLUG_RULE } from '@errata/server/commands'
import { teamId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { object } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { choicesOf } from '#parts/choices.server.ts'
import { idListField, optionalTextField, platformField, textField } from '#parts/fields.server.ts'
import { PAGED, pageOf } from '#parts/paging.server.ts'
import { paths } from '#parts/paths.ts'
import { platformName } from '#parts/platforms.ts'
import { fitsText } from '#parts/text-match.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import {
  compareUrgency,
  healthOf,
  healthSummary,
  type ProjectFacts,
  type SummaryPart,
} from './health-text.ts'

const PROJECTS = {
  ...PAGED,
  query: { ...PAGED.query, charsMax: max('searchCharsMax') },
}

export async function loadProjects(ctx: LoaderContext) {
  const { engine, scope, url, nowMs } = requireScope(ctx)
  const { query, page: asked } = readAddress(PROJECTS, url.searchParams)
  const [overviews, teams] = await Promise.all([
    engine.queries.projectOverviews(scope),
    engine.queries.teamNames(scope),
  ])
  const all = overviews.map((overview) => {
    const { project, errors, trend, issues, lastEventMs, health, latestRelease, sessions } = overview
    return {
      ...{ errors, trend, lastEventMs, health, latestRelease, sessions },
      id: project.id,
      slug: project.slug,
      name: project.name,
      platform: project.platform,
      isSelf: project.isSelf,
      isEmpty: project.firstEventMs === null,
      issues: { unresolved: issues.unresolved, new: issues.new, regressed: issues.regressed },
      teams: teams.filter((team) => project.teams.includes(team.id)).map(({ name }) => name),
    }
  })
  const fits = fitsText(query)
  const projects = all.filter((project) => {
    const text = [project.name, project.slug, platformName(project.platform), ...project.teams].join(' ')
    return fits(text)
  })
  projects.sort(compareUrgency(nowMs))
  const { rows: shown, page, pages } = pageOf(projects, asked, max('projectsShownMax'))
  const missing = shown.filter(({ latestRelease }) => latestRelease === null).map(({ id }) => id)
  const releases = await engine.queries.latestReleases(scope, missing)
  return {
    ...{ org: scope.orgSlug, query, total: all.length, queryCharsMax: max('searchCharsMax'), page, pages },
    found: projects.length,
    errors: projects.reduce((sum, project) => sum + project.errors, 0),
    summary: projects.length > 1 ? projectsSummary(projects, nowMs) : [],
    projects: shown.map((project) => ({
      ...project,
      latestRelease: project.latestRelease ?? releases.get(project.id) ?? null,
    })),
  }
}

/** Errata’s own project is news only where it has failures. */
function projectsSummary(
  projects: readonly (ProjectFacts & { readonly isEmpty: boolean })[],
  nowMs: number,
): readonly SummaryPart[] {
  return healthSummary(
    projects
      .filter(({ isSelf, isEmpty }) => !(isSelf && isEmpty))
      .map((project) => ({ name: project.name, health: healthOf(project, nowMs) })),
  )
}

export type ProjectRow = Awaited<ReturnType<typeof loadProjects>>['projects'][number]

export async function loadNewProject(ctx: LoaderContext) {
  const org = requireScope(ctx)
  return { org: org.scope.orgSlug, slugRule: SLUG_RULE, teams: await choicesOf(org, { of: 'teams' }) }
}

export async function loadFirstEvent(ctx: LoaderContext) {
  const { engine, scope, params, nowMs } = requireScope(ctx)
  const ref = params.project ?? ''
  const view = await readable(ctx, 'arrived', {
    read: () => engine.queries.firstEvent(scope, ref),
    otherwise: () => engine.queries.firstEvent(scope, ref, { withoutArrived: true }),
  })
  if (view === null) return notFound()
  const { project, key, dsn, relayUrl } = view
  return {
    org: scope.orgSlug,
    url: engine.publicAddress.url,
    nowMs,
    project: {
      id: project.id,
      slug: project.slug,
      name: project.name,
      platform: project.platform,
      createdMs: project.createdMs,
    },
    key: key === null ? null : { name: key.name, isActive: key.isActive, rateLimit: key.rateLimit },
    dsn,
    relayUrl,
    accepted: view.accepted,
    refused: view.refused,
    leftOut: view.leftOut,
    unsupported: view.unsupported,
    spans: view.spans,
    serverSeenMs: view.serverSeenMs,
    browserSeenMs: view.browserSeenMs,
    firstIssue: view.firstIssue,
    latestEvent: view.latestEvent,
    testEvent: view.testEvent,
  }
}

export type FirstEventData = Awaited<ReturnType<typeof loadFirstEvent>>

export const createProject = defineAction(
  'project.create',
  'project.create',
  object({
    name: textField,
    slug: optionalTextField,
    platform: platformField,
    teams: idListField,
  }),
  async (ctx, { name, slug, platform, teams }) => {
    const done = await ctx.engine.commands.run('createProject', ctx, {
      name,
      ...(slug === undefined ? {} : { slug }),
      platform,
      teams: teams.map(teamId),
    })
    return done.ok ? { redirect: paths.firstEvent(ctx.scope.orgSlug, done.value.project.slug) } : done
  },
)

/** Sends one marked event through the project's own ingest path. */
export const sendTestEvent = defineAction('project.test-event', 'project.write', object({}), async (ctx) => {
  const project = await ctx.engine.queries.project(ctx.scope, ctx.params.project ?? '')
  if (project === null) return notFound()
  return ctx.engine.commands.sendTestEvent(ctx, project.id)
})
