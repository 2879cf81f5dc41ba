/** Marks of a chart: releases and deploys, and changes of feature flags beside them. */
import type { ChartMark } from '#ui/charts/chart-types.ts'
import type { OrgContext } from '#wire/types.ts'
import { flagMarks } from './flag-marks.server.ts'
import { MARKS_MAX, unlessPassing } from './mark-reads.server.ts'
import { paths } from './paths.ts'
import { versionOf } from './release-text.ts'

/** Newest releases that are looked through for a stretch of time, some at a time: each is read with all that is known of it. */
const LOOKED_AT_MAX = 100

/**
 * Returns marks of releases in a stretch of time, those of flags behind them, each oldest first; none for viewers who may
 * not read releases. `project`: by its slug; `null` for all.
 */
export async function releaseMarks(
  org: OrgContext,
  asked: Stretch & { readonly project: string | null },
): Promise<readonly ChartMark[]> {
  const { engine, scope, viewer } = org
  if (!engine.access.can(viewer, scope, 'release.read', {})) return []
  const projects = asked.project === null ? null : await projectIds({ engine, scope }, asked.project)
  const [releases, flags] = await Promise.all([
    marksAmong(org, asked, (offset) => readNewestReleases(org, { projects, offset, limit: MARKS_MAX })),
    flagMarks(org, { ...asked, projects }),
  ])
  return [...releases, ...flags]
}

interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/** Returns the marks of releases where the page reads the newest releases itself: further ones are read by `rowsFrom` too. */
export async function marksAmong(
  { scope }: Pick<OrgContext, 'scope'>,
  asked: Stretch,
  rowsFrom: (offset: number) => Promise<readonly ReleaseRow[]>,
): Promise<readonly ChartMark[]> {
  const marks: ChartMark[] = []
  for (let offset = 0; offset < LOOKED_AT_MAX; offset += MARKS_MAX) {
    const rows = (await unlessPassing(rowsFrom(offset))).slice(0, MARKS_MAX)
    marks.push(...rows.map((row) => markOf(row, scope.orgSlug)))
    const isBefore = (marks.at(-1)?.atMs ?? 0) < asked.startMs
    if (isBefore || rows.length < MARKS_MAX || newestWithin(marks, asked).length === MARKS_MAX) break
  }
  return newestWithin(marks, asked)
}

export type ReleaseRow = Awaited<ReturnType<OrgContext['engine']['queries']['releases']>>['rows'][number]

function markOf({ version, lastDeploy, releasedMs, createdMs }: ReleaseRow, org: string): ChartMark {
  return {
    atMs: lastDeploy?.finishedMs ?? releasedMs ?? createdMs,
    kind: lastDeploy === null ? 'release' : 'deploy',
    ...{ name: version, label: versionOf(version), to: paths.release(org, version) },
  }
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

/** Reads open releases of projects (`null`: of all), newest first. */
export async function readNewestReleases(
  { engine, scope }: Pick<OrgContext, 'engine' | 'scope'>,
  asked: {
    readonly projects: Parameters<OrgContext['engine']['queries']['releases']>[1]['projects']
    readonly offset: number
    readonly limit: number
  },
): Promise<readonly ReleaseRow[]> {
  const { projects, ...page } = asked
  const filter = { projects, status: 'open' as const, text: '', environments: [], sort: 'date' as const }
  return (await engine.queries.releases(scope, filter, page)).rows
}

async function projectIds({ engine, scope }: Pick<OrgContext, 'engine' | 'scope'>, slug: string) {
  const { rows } = await engine.queries.projectNames(scope, { slugs: [slug], limit: 1 })
  return rows.map(({ id }) => id)
}
