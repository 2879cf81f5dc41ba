/** Reads of release health. Sums are made by rules that every store shares. */
import {
  type CountedHour,
  healthGroups,
  type PeopleRange,
  type PeopleThen,
  peopleRanges,
  releaseUses,
  type UsedThen,
} from '#issues/health-groups.ts'
import { decodeUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { HealthQuery, HealthRead, HealthSpan, ReleaseUses } from '#ports/health.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function healthRead(db: Connection): HealthRead {
  return {
    health: async (scope, query) =>
      db.snapshot(() =>
        healthGroups(
          query,
          counts(db, scope, query),
          peopleRanges(query).flatMap((range) => people(db, scope, { query, range })),
        ),
      ),
    sessionsByRelease: async (scope, query) => sessionsByRelease(db, scope, query),
    healthSpans: async (scope, releases) => spans(db, scope, releases.slice(0, max('healthReleasesMax'))),
  }
}

/** The unique index of health_series, then the primary key of what belongs to each. */
const SERIES = `s.project_id IN (SELECT id FROM readable)
  AND (:releases IS NULL OR s.release IN (SELECT value FROM json_each(:releases)))
  AND (:environments IS NULL OR s.environment IN (SELECT value FROM json_each(:environments)))`

function seriesParams(
  scope: ReadScope,
  { projects, releases, environments }: Pick<HealthQuery, 'projects' | 'releases' | 'environments'>,
) {
  return {
    ...readableParams(scope, projects),
    releases: releases === null ? null : JSON.stringify(releases),
    environments: environments === null ? null : JSON.stringify(environments),
  }
}

/** Returns a row for each series and bucket; without buckets, one for each series. */
function counts(db: Connection, scope: ReadScope, query: HealthQuery): readonly CountedHour[] {
  const step = query.stepHours ?? Math.max(1, query.endHour - query.startHour)
  const sql = `${READABLE} SELECT s.project_id AS projectId, s.release, s.environment,
      :from + ((h.hour - :from) / :step) * :step AS hour, sum(h.sessions) AS sessions, sum(h.errored) AS errored,
      sum(h.unhandled) AS unhandled, sum(h.abnormal) AS abnormal, sum(h.crashed) AS crashed
    FROM health_series s JOIN health_hours h ON h.series_id = s.id
    WHERE ${SERIES} AND h.hour >= :from AND h.hour < :to GROUP BY s.id, 4`
  return db.all<CountedHour>(sql, {
    ...seriesParams(scope, query),
    ...{ from: query.startHour, to: query.endHour, step },
  })
}

function sessionsByRelease(
  db: Connection,
  scope: ReadScope,
  query: Parameters<HealthRead['sessionsByRelease']>[1],
): readonly ReleaseUses[] {
  const { startHour: from, endHour: to, stepHours: step } = query
  // Numbers are bound as REAL, and divide as such.
  const sql = `${READABLE} SELECT s.project_id AS projectId, s.release,
      CAST((h.hour - :from) / :step AS INTEGER) AS bucket, sum(h.sessions) AS count
    FROM health_series s JOIN health_hours h ON h.series_id = s.id
    WHERE ${SERIES} AND h.hour >= :from AND h.hour < :to GROUP BY 1, 2, 3`
  const params = { ...seriesParams(scope, { ...query, releases: null }), from, to, step }
  return releaseUses(db.all<UsedThen>(sql, params), Math.max(0, Math.ceil((to - from) / step)))
}

function people(
  db: Connection,
  scope: ReadScope,
  { query, range }: { readonly query: HealthQuery; readonly range: PeopleRange },
): readonly PeopleThen[] {
  const sql = `${READABLE} SELECT s.project_id AS projectId, s.release, s.environment, p.hour,
      p.is_crashed AS isCrashed, p.is_exact AS isExact, p.state
    FROM health_series s JOIN health_people p ON p.series_id = s.id
    WHERE ${SERIES} AND p.span = :span AND p.hour >= :from AND p.hour < :to`
  type Row = Omit<PeopleThen, 'isCrashed' | 'people'> & {
    readonly isCrashed: number
    readonly isExact: number
    readonly state: Uint8Array
  }
  const params = { span: range.span, from: range.startHour, to: range.endHour }
  return db
    .all<Row>(sql, { ...seriesParams(scope, query), ...params })
    .map(({ isCrashed, isExact, state, ...place }) => ({
      ...{ ...place, isCrashed: isCrashed === 1, people: decodeUsers(isExact === 1, state) },
    }))
}

function spans(db: Connection, scope: ReadScope, releases: readonly string[]): readonly HealthSpan[] {
  const sql = `${READABLE} SELECT s.release, min(h.hour) AS firstHour, max(h.hour) AS lastHour
    FROM health_series s JOIN health_hours h ON h.series_id = s.id
    WHERE s.project_id IN (SELECT id FROM readable) AND s.release IN (SELECT value FROM json_each(:releases))
    GROUP BY s.release ORDER BY s.release`
  return db.all<HealthSpan>(sql, { ...readableParams(scope), releases: JSON.stringify(releases) })
}
