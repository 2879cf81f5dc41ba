/** Resolving in a release or commit that is named, and archiving until an own number. */
import { max } from '@errata/server/limits'
import { object, picklist, pipe, string, transform, trim } from 'valibot'
import { textField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'

export async function loadChangeIssue(ctx: LoaderContext) {
  const { engine, scope, params, nowMs } = requireScope(ctx)
  const trend = { startMs: nowMs, endMs: nowMs + 1, stepMs: 1 }
  const { issue, project } = (await engine.queries.issue(scope, params.id ?? '', trend)) ?? notFound()
  return {
    org: scope.orgSlug,
    issue: {
      ...{ shortId: issue.shortId, title: issue.title, status: issue.status },
      ...{ eventCount: issue.eventCount, users: issue.users.count },
    },
    releases: await knownReleases({ engine, scope }, project.slug),
    nameCharsMax: max('tagValueCharsMax'),
  }
}

/** Returns a project's releases, newest first, without words that stand for one. */
async function knownReleases(
  { engine, scope }: Pick<OrgContext, 'engine' | 'scope'>,
  project: string,
): Promise<readonly string[]> {
  const asked = { key: 'release', prefix: '', projects: [project] }
  const found = await engine.queries.searchSuggestions(scope, asked)
  return found.flatMap(({ text, count }) => (count === null ? [] : [text]))
}

/** Returns the release that is meant by a typed text: its name, or the version by which pages show it if one has that. */
async function meantRelease(ctx: OrgContext, ref: string, typed: string): Promise<string> {
  const trend = { startMs: ctx.nowMs, endMs: ctx.nowMs + 1, stepMs: 1 }
  const view = await ctx.engine.queries.issue(ctx.scope, ref, trend)
  const known = view === null ? [] : await knownReleases(ctx, view.project.slug)
  const [only, ...others] = known.filter((release) => versionOf(release) === typed)
  return only === undefined || others.length > 0 || known.includes(typed) ? typed : only
}

export const resolveIn = defineAction(
  'issue.resolve-in',
  'issue.write',
  object({ ref: string(), release: pipe(textField, trim()), commit: pipe(textField, trim()) }),
  async (ctx, { ref, release, commit }) => {
    if ((release === '') === (commit === '')) {
      const rule = 'Enter a release or a commit.'
      return { error: { code: 'invalid_input' as const, message: rule, fields: { release: [rule] } } }
    }
    const within =
      release === ''
        ? ({ how: 'commit', commit } as const)
        : ({ how: 'release', release: await meantRelease(ctx, ref, release) } as const)
    const done = await ctx.engine.commands.run('resolveIssues', ctx, { selection: { refs: [ref] }, within })
    return done.ok ? { redirect: paths.issue(ctx.scope.orgSlug, ref) } : done
  },
)

const COUNT_MAX = 999_999_999

export const archiveUntil = defineAction(
  'issue.archive-until',
  'issue.write',
  object({
    ref: string(),
    count: pipe(
      textField,
      transform((text) => Number(text.replaceAll(',', ''))),
    ),
    unit: picklist(['events', 'users', 'hours', 'days']),
  }),
  async (ctx, { ref, count, unit }) => {
    if (!Number.isSafeInteger(count) || count < 1 || count > COUNT_MAX) {
      const rule = 'Enter a whole number, at least 1.'
      return { error: { code: 'invalid_input' as const, message: rule, fields: { count: [rule] } } }
    }
    const until = {
      eventsMore: unit === 'events' ? count : null,
      usersMore: unit === 'users' ? count : null,
      minutes: unit === 'hours' ? count * 60 : unit === 'days' ? count * 1_440 : null,
      escalating: false,
    }
    const done = await ctx.engine.commands.run('archiveIssues', ctx, { selection: { refs: [ref] }, until })
    return done.ok ? { redirect: paths.issue(ctx.scope.orgSlug, ref) } : done
  },
)
