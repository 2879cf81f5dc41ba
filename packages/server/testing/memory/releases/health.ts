/** Release health as maps of rows. */
import { HOUR_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import {
  DAY_HOURS,
  healthGroups,
  oldestHealth,
  type PeopleRange,
  type PeopleThen,
  peopleRanges,
  releaseUses,
} from '#issues/health-groups.ts'
import {
  addCounts,
  type HealthAddition,
  type LeftOutSession,
  NO_SESSIONS,
  placeKey,
  sessionChanges,
} from '#issues/session-changes.ts'
import { NO_USERS, withoutUsers, withUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { HealthQuery, HealthRead, SessionDelta } from '#ports/health.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { ReleasePlace } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Tables } from '../tables.ts'

const sessionKey = (project: ProjectId, session: bigint) => `${project} ${session}`

/** Answers what is not counted. */
export function addSessions(to: Tables, deltas: readonly SessionDelta[]): readonly LeftOutSession[] {
  const { additions, sessions, leftOut } = sessionChanges(deltas, {
    session: (project, session) => to.healthSessions.get(sessionKey(project, session)) ?? null,
    hasPlace: (place) => to.healthHours.has(placeKey(place)),
    placesInHour: (project, hour) =>
      to.healthHours.where((row) => row.projectId === project && row.hour === hour).length,
    sessionsRemembered: (project) =>
      to.healthSessions.where(({ place }) => place.projectId === project).length,
  })
  for (const addition of additions) add(to, addition)
  for (const { session, ...known } of sessions)
    to.healthSessions.put(sessionKey(known.place.projectId, session), known)
  return leftOut
}

function add(to: Tables, { place, counts, people, crashedPeople }: HealthAddition): void {
  const key = placeKey(place)
  to.healthHours.put(key, { ...place, ...addCounts(to.healthHours.get(key) ?? NO_SESSIONS, counts) })
  for (const span of [1, DAY_HOURS] as const) {
    const then = { ...place, hour: place.hour - (place.hour % span), span }
    addPeople(to, { ...then, isCrashed: false }, people)
    addPeople(to, { ...then, isCrashed: true }, crashedPeople)
  }
}

function addPeople(
  to: Tables,
  then: Omit<PeopleThen & Pick<PeopleRange, 'span'>, 'people'>,
  added: ReadonlySet<bigint>,
): void {
  if (added.size === 0) return
  const key = `${then.span} ${then.isCrashed} ${placeKey(then)}`
  to.healthPeople.put(key, {
    ...{ ...then, people: withUsers(to.healthPeople.get(key)?.people ?? NO_USERS, added) },
  })
}

export function pruneHealth(to: Tables, nowMs: number): void {
  const nowHour = Math.floor(nowMs / HOUR_MS)
  const oldestOf = (project: ProjectId) => {
    const options = to.projects.get(project)?.options ?? PROJECT_OPTIONS_DEFAULT
    return oldestHealth(nowHour, options.retentionDays)
  }
  to.healthSessions.deleteWhere(({ place }) => place.hour < oldestOf(place.projectId).session)
  to.healthHours.deleteWhere(({ projectId, hour }) => hour < oldestOf(projectId).hour)
  to.healthPeople.deleteWhere(({ projectId, hour, span }) => {
    const oldest = oldestOf(projectId)
    return hour + span <= oldest.hour || (span === 1 && hour < oldest.peopleByHour)
  })
}

export function takeFromHealth(to: Tables, project: ProjectId, gone: ReadonlySet<bigint>): void {
  for (const row of to.healthPeople.where(({ projectId }) => projectId === project)) {
    const key = `${row.span} ${row.isCrashed} ${placeKey(row)}`
    to.healthPeople.change(key, { people: withoutUsers(row.people, gone) })
  }
  const isGone = ({ people }: { readonly people: readonly bigint[] }) => people.some((one) => gone.has(one))
  for (const [key, known] of to.healthSessions.entries())
    if (known.place.projectId === project && isGone(known)) to.healthSessions.change(key, { people: [] })
}

/** With its release. */
export function forgetHealth(to: Tables, { orgId, readable, version }: ReleasePlace): void {
  const isOfIt = ({ projectId, release }: { readonly projectId: ProjectId; readonly release: string }) =>
    release === version && readable.includes(projectId) && to.projects.get(projectId)?.orgId === orgId
  to.healthHours.deleteWhere(isOfIt)
  to.healthPeople.deleteWhere(isOfIt)
  to.healthSessions.deleteWhere(({ place }) => isOfIt(place))
}

export function healthRead(of: Tables): HealthRead {
  return {
    health: async (scope, query) => {
      const isWanted = seriesWanted(of, scope, query)
      const { startHour, endHour } = query
      return healthGroups(
        query,
        of.healthHours.where((row) => isWanted(row) && row.hour >= startHour && row.hour < endHour),
        peopleRanges(query).flatMap((range) =>
          of.healthPeople.where(
            (row) =>
              isWanted(row) &&
              row.span === range.span &&
              row.hour >= range.startHour &&
              row.hour < range.endHour,
          ),
        ),
      )
    },
    sessionsByRelease: async (scope, { startHour, endHour, stepHours, ...where }) => {
      const isWanted = seriesWanted(of, scope, { ...where, releases: null })
      const rows = of.healthHours
        .where((row) => isWanted(row) && row.hour >= startHour && row.hour < endHour)
        .map((row) => ({
          ...row,
          bucket: Math.floor((row.hour - startHour) / stepHours),
          count: row.sessions,
        }))
      return releaseUses(rows, Math.max(0, Math.ceil((endHour - startHour) / stepHours)))
    },
    healthSpans: async (scope, releases) => {
      const wanted = releases.slice(0, max('healthReleasesMax'))
      const isReadable = seriesWanted(of, scope, {
        ...{ projects: null, releases: wanted, environments: null },
      })
      return [...new Set(wanted)].sort().flatMap((release) => {
        const hours = of.healthHours
          .where((row) => isReadable(row) && row.release === release)
          .map(({ hour }) => hour)
        if (hours.length === 0) return []
        return [{ release, firstHour: Math.min(...hours), lastHour: Math.max(...hours) }]
      })
    },
  }
}

function seriesWanted(
  of: Tables,
  scope: ReadScope,
  { projects, releases, environments }: Pick<HealthQuery, 'projects' | 'releases' | 'environments'>,
) {
  return (row: Pick<SessionDelta, 'projectId' | 'release' | 'environment'>) =>
    scope.projects.includes(row.projectId) &&
    of.projects.get(row.projectId)?.orgId === scope.orgId &&
    (projects?.includes(row.projectId) ?? true) &&
    (releases?.includes(row.release) ?? true) &&
    (environments?.includes(row.environment) ?? true)
}
