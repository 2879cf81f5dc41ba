/** Releases and deploys as marks of a chart. */
import type { ChartMark } from '#ui/charts/chart-types.ts'
import { passingError } from '#wire/readable.ts'
import type { OrgContext } from '#wire/types.ts'
import { paths } from './paths.ts'
import { versionOf } from './release-text.ts'

const MARKS_MAX = 12
/** Newest releases among which a stretch of time is looked for: those of other times take no place of its own. */
const LOOKED_AT_MAX = 100

/**
 * Returns marks in a stretch of time, oldest first; none for viewers who may not read releases. `project`: by
 * its slug; `null` for all.
 */
export async function releaseMarks(
  { engine, scope, viewer }: OrgContext,
  asked: { readonly project: string | null; readonly startMs: number; readonly endMs: number },
): Promise<readonly ChartMark[]> {
  if (!engine.access.can(viewer, scope, 'release.read', {})) return []
  const projects = asked.project === null ? null : await projectIds({ engine, scope }, asked.project)
  const rows = await newestReleases({ engine, scope }, projects)
  const marks = rows.map(
    ({ version, lastDeploy, releasedMs, createdMs }): ChartMark => ({
      atMs: lastDeploy?.finishedMs ?? releasedMs ?? createdMs,
      kind: lastDeploy === null ? 'release' : 'deploy',
      ...{ name: version, label: versionOf(version), to: paths.release(scope.orgSlug, version) },
    }),
  )
  return newestWithin(marks, asked)
}

/** Returns the newest of a stretch of time, its end not included, as many as a chart has room for: oldest first. */
export function newestWithin<Mark extends Pick<ChartMark, 'atMs'>>(
  marks: readonly Mark[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): readonly Mark[] {
  return marks
    .filter(({ atMs }) => atMs >= startMs && atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-MARKS_MAX)
}

/** Marks stand beside what a page is about: a store that does not answer in time leaves them out, and no more. */
async function newestReleases(
  { engine, scope }: Pick<OrgContext, 'engine' | 'scope'>,
  projects: Parameters<OrgContext['engine']['queries']['releases']>[1]['projects'],
) {
  const filter = { projects, status: 'open' as const, text: '', environments: [], sort: 'date' as const }
  try {
    return (await engine.queries.releases(scope, filter, { offset: 0, limit: LOOKED_AT_MAX })).rows
  } catch (cause) {
    if (passingError(cause) === null) throw cause
    return []
  }
}

async function projectIds({ engine, scope }: Pick<OrgContext, 'engine' | 'scope'>, slug: string) {
  const { rows } = await engine.queries.projectNames(scope, { slugs: [slug], limit: 1 })
  return rows.map(({ id }) => id)
}
