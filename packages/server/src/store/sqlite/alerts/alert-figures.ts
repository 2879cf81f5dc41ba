/** Figures that are kept anyway, as rules ask for them: outcomes, hours of issues and requests, sessions. */
import type {
  AlertStore,
  BusiestQuery,
  FailingAction,
  SessionFigures,
  SessionsQuery,
} from '#alerts/rules/alert-store.ts'
import { HOUR_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { type CountedHour, healthGroups, type PeopleThen, peopleRanges } from '#issues/health-groups.ts'
import { decodeUsers } from '#issues/user-set.ts'
import type { RequestHour } from '#ports/alerts.ts'
import type { HealthQuery } from '#ports/health.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { valueMatch } from '../ingest/facet-words.ts'
import { IS_ID } from '../requests/action-rows.ts'
import type { Statements } from '../statements.ts'

type Figures =
  | 'issueHours'
  | 'busiestIssues'
  | 'failingActions'
  | 'outcomes'
  | 'lastAccepted'
  | 'requestHours'
  | 'sessions'

export function alertFigures(db: Connection): Pick<Statements<AlertStore>, Figures> {
  return {
    ...keptFigureReads(db),
    busiestIssues: (asked) => asked.map((query) => busiestIssue(db, query)),
    failingActions: (asked) => asked.map((query) => failingAction(db, query)),
    sessions: (asked) => asked.map((query) => sumSessions(db, query)),
  }
}

function keptFigureReads(
  db: Connection,
): Pick<Statements<AlertStore>, 'issueHours' | 'outcomes' | 'lastAccepted' | 'requestHours'> {
  return {
    issueHours(asked) {
      // groups_by_issue, then the primary key of group_hours
      const sql = `SELECT h.hour, sum(h.count) AS count FROM groups g JOIN group_hours h ON h.group_id = g.id
        WHERE g.issue_id = ? AND h.hour >= ? GROUP BY h.hour`
      const keys = asked.map(({ issueId, first }) => [issueId, first])
      return db
        .allEach<{ hour: number; count: number }>(sql, keys)
        .map((rows) => new Map(rows.map(({ hour, count }) => [hour, count])))
    },
    outcomes(asked) {
      // The primary key; buckets of 15 minutes that begin within the range.
      const sql = `SELECT coalesce(sum(quantity), 0) AS total FROM outcomes
        WHERE project_id IN (SELECT value FROM json_each(:projects)) AND bucket_ms > :start AND bucket_ms <= :end
          AND outcome IN (SELECT value FROM json_each(:outcomes)) AND (:category IS NULL OR category = :category)`
      const keys = asked.map(({ projects, outcomes, category, startMs, endMs }) => {
        const lists = { projects: JSON.stringify(projects), outcomes: JSON.stringify(outcomes) }
        return { ...lists, start: startMs - 900_000, end: endMs, category }
      })
      return db.getEach<{ total: number }>(sql, keys).map((row) => row?.total ?? 0)
    },
    lastAccepted(asked) {
      // The primary key from its end: a project that lives is answered by its newest buckets.
      const sql = `SELECT last_ms AS atMs FROM outcomes WHERE project_id = ? AND bucket_ms > ?
        AND outcome = 'accepted' AND category IN ('error', 'transaction', 'span') ORDER BY bucket_ms DESC LIMIT 8`
      const keys = asked.map(({ project, sinceMs }) => [project, sinceMs])
      return db
        .allEach<{ atMs: number }>(sql, keys)
        .map((rows) => (rows.length === 0 ? null : Math.max(...rows.map(({ atMs }) => atMs))))
    },
    requestHours(asked) {
      // What was joined to a day gives its share of it; the primary key of request_sums.
      const sql = `SELECT r.hour, r.sketch, r.count * (min(r.hour + r.hours, :end) - max(r.hour, :start)) / r.hours AS count,
          r.failed * (min(r.hour + r.hours, :end) - max(r.hour, :start)) / r.hours AS failed
        FROM request_series s JOIN request_sums r ON r.series_id = s.id
        WHERE s.project_id IN (SELECT value FROM json_each(:projects))
          AND r.hour > :start - 24 AND r.hour + r.hours > :start AND r.hour < :end
          AND (:route IS NULL OR s.route = :route)
          AND (:kind IS NULL OR s.kind = :kind) AND (:environment IS NULL OR s.environment = :environment)`
      const keys = asked.map(({ projects, startHour, endHour, route, kind, environment }) => {
        return {
          projects: JSON.stringify(projects),
          start: startHour,
          end: endHour,
          route,
          kind,
          environment,
        }
      })
      return db.allEach<RequestHour>(sql, keys)
    },
  }
}

function busiestIssue(
  db: Connection,
  { project, startHour, route, kind, environment }: BusiestQuery,
): IssueId | null {
  const keyId = db.get<{ id: number }>(`SELECT id FROM tag_keys WHERE key = 'environment'`)?.id ?? 0
  const match = environment === null ? null : valueMatch(keyId, environment)
  // issues_for_list, groups_by_issue, the primary key of group_hours, facet_words
  const sql = `SELECT i.id FROM issues i JOIN groups g ON g.issue_id = i.id
      JOIN group_hours h ON h.group_id = g.id AND h.hour >= :start
    WHERE i.project_id = :project AND i.last_seen_ms >= :startMs AND i.substatus IS NOT 'waiting'
      AND (:route IS NULL OR EXISTS (SELECT 1 FROM json_each(i.routes) WHERE key = :route))
      AND (:kind IS NULL OR EXISTS (SELECT 1 FROM json_each(i.kinds) WHERE key = :kind))
      AND (:match IS NULL OR g.id IN (SELECT w.rowid FROM facet_words w WHERE w.facet_words MATCH :match))
    GROUP BY i.id ORDER BY sum(h.count) DESC, i.id LIMIT 1`
  const asked = { project, start: startHour, startMs: startHour * HOUR_MS, route, kind, match }
  return db.get<{ id: IssueId }>(sql, asked)?.id ?? null
}

function failingAction(
  db: Connection,
  { project, startHour, route, environment }: Omit<BusiestQuery, 'kind'>,
): FailingAction | null {
  // The unique key of action_series, the primary keys of action_sums and action_names.
  const sql = `SELECT coalesce(n.name, s.action) AS action, sum(r.count) AS count, sum(r.failed) AS failed
    FROM action_series s JOIN action_sums r ON r.series_id = s.id AND r.hour >= :start
      LEFT JOIN action_names n ON n.project_id = s.project_id AND n.action_id = s.action
    WHERE s.project_id = :project AND (:route IS NULL OR s.route = :route)
      AND (:environment IS NULL OR s.environment = :environment)
      AND (n.name IS NOT NULL OR s.action <> '' AND NOT (${IS_ID}))
    GROUP BY 1 HAVING sum(r.failed) > 0 ORDER BY 3 DESC, 1 LIMIT 1`
  return db.get<FailingAction>(sql, { project, start: startHour, route, environment }) ?? null
}

const SERIES = `s.project_id IN (SELECT value FROM json_each(:projects))
  AND (:release IS NULL OR s.release = :release) AND (:environment IS NULL OR s.environment = :environment)`

function sumSessions(db: Connection, query: SessionsQuery): SessionFigures {
  const { projects, startHour, endHour, environment, release } = query
  const params = { projects: JSON.stringify(projects), environment, release }
  const asked: HealthQuery = {
    ...{
      startHour,
      endHour,
      stepHours: null,
      projects: null,
      releases: null,
      environments: null,
      groupBy: [],
    },
  }
  const counts = `SELECT s.project_id AS projectId, s.release, s.environment, h.hour, h.sessions, h.errored,
      h.unhandled, h.abnormal, h.crashed
    FROM health_series s JOIN health_hours h ON h.series_id = s.id WHERE ${SERIES} AND h.hour >= :from AND h.hour < :to`
  const range = { from: startHour, to: endHour }
  const hours = db.all<CountedHour>(counts, { ...params, ...range })
  const people = peopleRanges(asked).flatMap((each) => countPeople(db, params, each))
  const [all] = healthGroups(asked, hours, people)
  return (
    all?.totals ?? {
      sessions: 0,
      errored: 0,
      unhandled: 0,
      abnormal: 0,
      crashed: 0,
      people: 0,
      crashedPeople: 0,
    }
  )
}

function countPeople(
  db: Connection,
  params: Readonly<Record<string, SqlValue>>,
  { span, startHour, endHour }: ReturnType<typeof peopleRanges>[number],
): readonly PeopleThen[] {
  const sql = `SELECT s.project_id AS projectId, s.release, s.environment, p.hour, p.is_crashed AS isCrashed,
      p.is_exact AS isExact, p.state
    FROM health_series s JOIN health_people p ON p.series_id = s.id
    WHERE ${SERIES} AND p.span = :span AND p.hour >= :from AND p.hour < :to`
  type Row = Omit<PeopleThen, 'isCrashed' | 'people'> & {
    readonly isCrashed: number
    readonly isExact: number
    readonly state: Uint8Array
  }
  return db
    .all<Row>(sql, { ...params, span, from: startHour, to: endHour })
    .map(({ isCrashed, isExact, state, ...place }) => ({
      ...{ ...place, isCrashed: isCrashed === 1, people: decodeUsers(isExact === 1, state) },
    }))
}
