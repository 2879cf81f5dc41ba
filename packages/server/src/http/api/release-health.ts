/** Fields that `health=1` adds to releases. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { HealthGroup } from '#ports/health.ts'
import type { Release } from '#ports/releases.ts'
import { NO_FIGURES } from '#queries/release-health.ts'
import type { OrgCall } from './call.ts'
import { readPeriod } from './params.ts'
import { words, yes } from './query.ts'
import { badField } from './refusals.ts'
import { type HealthShape, healthShape } from './shape/release-health.ts'

const DAY_HOURS = 24
const PERIOD_DAYS_MAX = 90
const ASKED = yes('health', 'With release health of each project')
const PERIOD = words(
  'summaryStatsPeriod',
  `With \`health\`: of how long, such as 14d; at most ${PERIOD_DAYS_MAX}d`,
)
const OLDER_PERIOD = words('statsPeriod', 'The same, as older clients call it')
/** Parameters about health beside a release. */
export const HEALTH = [ASKED, PERIOD, OLDER_PERIOD]

/** Health by project of a release, by its name; `null` where nobody asked for it. */
export async function releaseHealthOf(
  call: OrgCall,
  releases: readonly Release[],
): Promise<(version: string) => ReadonlyMap<ProjectId, HealthShape> | null> {
  if (!ASKED.read(call.url) || releases.length === 0) return () => null
  const { queries, scope, clock } = call
  const endHour = Math.floor(clock.now() / HOUR_MS) + 1
  const midnight = Math.ceil(endHour / DAY_HOURS) * DAY_HOURS
  const versions = releases.map(({ version }) => version).slice(0, max('healthReleasesMax'))
  const lastDay = { startHour: endHour - DAY_HOURS, endHour }
  const all = { projects: null, releases: versions, environments: null, stepHours: null }
  const both = ['project', 'release'] as const
  const [totals, ofReleases, ofProjects] = await Promise.all([
    queries.sessionStats(scope, {
      ...{ ...all, startHour: midnight - periodMs(call) * DAY_HOURS, endHour: midnight, groupBy: both },
    }),
    queries.sessionStats(scope, { ...all, ...lastDay, groupBy: both }),
    queries.sessionStats(scope, { ...all, ...lastDay, releases: null, groupBy: ['project'] }),
  ])
  return (version) => {
    const own = (groups: readonly HealthGroup[], project: ProjectId | undefined) =>
      groups.find(({ release, projectId }) => release === version && projectId === project)?.totals
    return new Map(
      totals.flatMap(({ release, projectId, totals: figures }): [ProjectId, HealthShape][] => {
        if (release !== version || projectId === undefined) return []
        const project = ofProjects.find((each) => each.projectId === projectId)?.totals ?? NO_FIGURES
        const day = own(ofReleases, projectId) ?? NO_FIGURES
        return [[projectId, healthShape({ totals: figures, lastDay: day, projectLastDay: project })]]
      }),
    )
  }
}

/** Whole days. */
function periodMs({ url }: OrgCall): number {
  const text = PERIOD.read(url) || OLDER_PERIOD.read(url) || '14d'
  const ms = readPeriod(text)
  if (ms === null) throw badField('statsPeriod', 'A number and a unit of s, m, h, d or w, such as 14d.')
  return Math.min(PERIOD_DAYS_MAX, Math.max(1, Math.ceil(ms / HOUR_MS / DAY_HOURS)))
}
