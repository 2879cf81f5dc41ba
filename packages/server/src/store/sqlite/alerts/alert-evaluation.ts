/** SQL that evaluating rules reads and writes by sets. It decides nothing. */
import type {
  AlertStore,
  Candidate,
  FiredAfter,
  NewFiring,
  OrgProject,
  RuleStateRow,
  TellingOrg,
} from '#alerts/rules/alert-store.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { latestRelease } from '#model/release-order.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { releasesOfProject } from '../releases/release-rows.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { openIncidents } from '../rows/open-incidents.ts'
import type { Statements } from '../statements.ts'
import { alertFigures } from './alert-figures.ts'
import { readSlots, rulesOn } from './alert-rows.ts'
import { insertMessages } from './message-queue.ts'
import { presetRows } from './preset-rows.ts'
import { readToldAlert, readWatchedIssues } from './watched-issue.ts'

export function alertEvaluation(db: Connection): Omit<Statements<AlertStore>, 'openNotices'> {
  return {
    ...presetRows(db),
    ...waiting(db),
    ...namedReads(db),
    ...alertFigures(db),
    ...firedReads(db),
    ...firingWrites(db),
    rulesOn: () => rulesOn(db),
    slots: (asked) => readSlots(db, asked),
    queueMessages: (messages, nowMs) => insertMessages(db, messages, nowMs),
    openIncidents: (issues) => issues.map((issue) => openIncidents(db, issue)),
    changeIssues: (changes) => changeIssues(db, changes),
  }
}

type Waiting = 'candidates' | 'candidatesForPresets' | 'facts' | 'removeCandidates' | 'keepProgress'

function waiting(db: Connection): Pick<Statements<AlertStore>, Waiting> {
  return {
    candidates: (limit) => candidatesWhere(db, 'true', limit),
    candidatesForPresets: (limit) =>
      candidatesWhere(db, `c.moment IN ('new', 'regressed') AND c.facts -> '$.progress' IS NULL`, limit),
    facts(candidates) {
      const sql = `SELECT id, json_remove(facts, '$.progress') AS facts FROM alert_candidates
        WHERE id IN (SELECT value FROM json_each(?))`
      const rows = db.all<{ id: number; facts: string }>(sql, [JSON.stringify(candidates)])
      return new Map(rows.map(({ id, facts }) => [id, JSON.parse(facts)]))
    },
    keepProgress(id, progress) {
      const sql = `UPDATE alert_candidates SET facts = json_set(facts, '$.progress', json(?)) WHERE id = ?`
      db.run(sql, [JSON.stringify(progress), id])
    },
    removeCandidates(ids) {
      const sql = 'DELETE FROM alert_candidates WHERE id IN (SELECT value FROM json_each(?))'
      db.run(sql, [JSON.stringify(ids)])
    },
  }
}

function candidatesWhere(db: Connection, where: string, limit: number): readonly Candidate[] {
  const sql = `WITH turns AS (
      SELECT c.id, row_number() OVER (PARTITION BY p.org_id ORDER BY c.id) AS turn
      FROM alert_candidates c JOIN projects p ON p.id = c.project_id
      WHERE (SELECT substatus FROM issues WHERE id = c.issue_id) IS NOT 'waiting' AND ${where}
      ORDER BY turn, c.id LIMIT ?)
    SELECT c.id, project_id AS projectId, issue_id AS issueId, moment, at_ms AS atMs,
      facts -> '$.progress' AS progress
    FROM turns JOIN alert_candidates c ON c.id = turns.id ORDER BY turn, c.id`
  type Row = Omit<Candidate, 'progress'> & { readonly progress: string | null }
  return db.all<Row>(sql, [limit]).map(({ progress, ...row }) => ({
    ...row,
    progress: progress === null ? null : JSON.parse(progress),
  }))
}

type Named =
  | 'issues'
  | 'told'
  | 'projects'
  | 'projectsOf'
  | 'organisations'
  | 'memberCounts'
  | 'latestReleases'

function namedReads(db: Connection): Pick<Statements<AlertStore>, Named> {
  const suspects = new SuspectFinder(db)
  return {
    issues: (ids) => readWatchedIssues(db, ids),
    told: (ids) => new Map(ids.map((id) => [id, readToldAlert(db, id, suspects)])),
    projects(ids) {
      const sql = `SELECT id, org_id AS orgId, slug, name FROM projects WHERE id IN (SELECT value FROM json_each(?))`
      const rows = db.all<OrgProject>(sql, [JSON.stringify(ids)])
      return new Map(rows.map((row) => [row.id, row]))
    },
    projectsOf(orgs) {
      const sql = `SELECT id, org_id AS orgId, slug, name FROM projects
        WHERE org_id IN (SELECT value FROM json_each(?)) ORDER BY id`
      return db.all<OrgProject>(sql, [JSON.stringify(orgs)])
    },
    organisations(ids) {
      const sql = `SELECT o.id, o.slug, o.name, h.hours FROM organisations o
        LEFT JOIN alert_quiet_hours h ON h.org_id = o.id WHERE o.id IN (SELECT value FROM json_each(?))`
      type Row = Omit<TellingOrg, 'quietHours'> & { readonly hours: string | null }
      const rows = db.all<Row>(sql, [JSON.stringify(ids)])
      return new Map(
        rows.map(({ hours, ...org }) => [org.id, { ...org, quietHours: quietHoursOf(hours) }] as const),
      )
    },
    memberCounts(ids) {
      const sql = `SELECT org_id AS orgId, count(*) AS count FROM memberships
        WHERE org_id IN (SELECT value FROM json_each(?)) GROUP BY org_id`
      const rows = db.all<{ orgId: OrgId; count: number }>(sql, [JSON.stringify(ids)])
      return new Map(rows.map(({ orgId, count }) => [orgId, count]))
    },
    latestReleases(projects) {
      const found = projects.flatMap((project) => {
        const version = latestRelease(releasesOfProject(db, project))?.version
        return version === undefined ? [] : [[project, version] as const]
      })
      return new Map<ProjectId, string>(found)
    },
  }
}

function quietHoursOf(hours: string | null): QuietHours {
  return hours === null ? QUIET_HOURS_DEFAULT : JSON.parse(hours)
}

export function readQuietHours(db: Connection, org: OrgId): QuietHours {
  const row = db.get<{ hours: string }>('SELECT hours FROM alert_quiet_hours WHERE org_id = ?', [org])
  return quietHoursOf(row?.hours ?? null)
}

type Fired = 'states' | 'lastFired' | 'firedAfter' | 'firingLevels'

function firedReads(db: Connection): Pick<Statements<AlertStore>, Fired> {
  return {
    states(rules) {
      const sql = `SELECT rule_id AS ruleId, level, since_ms AS sinceMs, value, firing_id AS firingId,
          told_ms AS toldMs, storm_ms AS stormMs
        FROM alert_states WHERE rule_id IN (SELECT value FROM json_each(?))`
      const rows = db.all<RuleStateRow & { readonly ruleId: number }>(sql, [JSON.stringify(rules)])
      return new Map(rows.map(({ ruleId, ...state }) => [ruleId, state]))
    },
    lastFired(asked) {
      // alert_firings_by_issue
      const sql = 'SELECT max(started_ms) AS atMs FROM alert_firings WHERE rule_id = ? AND issue_id = ?'
      const rows = db.getEach<{ atMs: number | null }>(
        sql,
        asked.map(({ rule, issue }) => [rule, issue]),
      )
      return rows.map((row) => row?.atMs ?? null)
    },
    firedAfter(asked) {
      // alert_firings_by_rule
      const sql = `SELECT headline, untold, issue_id AS issueId, project_id AS projectId FROM alert_firings
        WHERE rule_id = ? AND started_ms > ? ORDER BY started_ms, id`
      return db
        .allEach<FiredRow>(
          sql,
          asked.map(({ rule, afterMs }) => [rule, afterMs]),
        )
        .map(firedOf)
    },
    firingLevels(ids) {
      const sql = 'SELECT id, level FROM alert_firings WHERE id IN (SELECT value FROM json_each(?))'
      const rows = db.all<Pick<NewFiring, 'level'> & { readonly id: number }>(sql, [JSON.stringify(ids)])
      return new Map(rows.map(({ id, level }) => [id, level]))
    },
  }
}

type FiredRow = Pick<NewFiring, 'headline' | 'issueId' | 'projectId' | 'untold'>

function firedOf(rows: readonly FiredRow[]): FiredAfter {
  const gathered = rows.filter(({ untold }) => untold === 'storm')
  const { issueId = null, projectId = null } = gathered.at(-1) ?? {}
  return {
    told: rows.filter(({ untold }) => untold === null).length,
    headlines: gathered.map(({ headline }) => headline),
    last: issueId === null || projectId === null ? null : { issueId, projectId },
  }
}

type Firings = 'putStates' | 'noteFailures' | 'forgetFailures' | 'addFirings' | 'changeFirings'

function firingWrites(db: Connection): Pick<Statements<AlertStore>, Firings> {
  return {
    putStates(states) {
      const sql = `INSERT OR REPLACE INTO alert_states (rule_id, level, since_ms, value, firing_id, told_ms, storm_ms)
        VALUES (:rule, :level, :since, :value, :firing, :told, :storm)`
      const rows = states.map(({ ruleId, level, sinceMs, value, firingId, toldMs, stormMs }) => {
        const times = { since: sinceMs, told: toldMs, storm: stormMs }
        return { rule: ruleId, level, value, firing: firingId, ...times }
      })
      db.runEach(sql, rows)
    },
    noteFailures(rules, nowMs) {
      // The first time since somebody changed the rule.
      const sql = `INSERT INTO alert_states (rule_id, level, since_ms, failed_ms)
        SELECT id, 'ok', :now, :now FROM alert_rules WHERE id = :rule
        ON CONFLICT (rule_id) DO UPDATE SET failed_ms = excluded.failed_ms
          WHERE failed_ms IS NULL OR failed_ms < (SELECT changed_ms FROM alert_rules WHERE id = :rule)`
      db.runEach(
        sql,
        rules.map((rule) => ({ rule, now: nowMs })),
      )
    },
    forgetFailures(sound) {
      // Asked first, and of the few that are noted: hardly ever is there one.
      const noted = db.all<{ rule: number }>(
        'SELECT rule_id AS rule FROM alert_states WHERE failed_ms IS NOT NULL',
      )
      if (noted.length === 0) return
      const isSound = new Set(sound)
      const over = noted.flatMap(({ rule }) => (isSound.has(rule) ? [rule] : []))
      const sql = 'UPDATE alert_states SET failed_ms = NULL WHERE rule_id IN (SELECT value FROM json_each(?))'
      if (over.length > 0) db.run(sql, [JSON.stringify(over)])
    },
    addFirings(added) {
      const sql = `INSERT INTO alert_firings (rule_id, project_id, issue_id, issue_number, level, started_ms, ended_ms,
          extreme, headline, because, untold)
        VALUES (:rule, :project, :issue, :number, :level, :started, :ended, :extreme, :headline, :because, :untold)`
      return db.runEach(sql, added.map(firingParams)).map(({ lastId }) => lastId)
    },
    changeFirings(changes) {
      const sql = `UPDATE alert_firings SET level = coalesce(:level, level), ended_ms = coalesce(:ended, ended_ms),
        extreme = coalesce(:extreme, extreme) WHERE id = :id`
      const rows = changes.map(({ id, level = null, endedMs = null, extreme = null }) => {
        return { id, level, ended: endedMs, extreme }
      })
      db.runEach(sql, rows)
    },
  }
}

function firingParams({ ruleId, projectId, issueId, issueNumber, startedMs, endedMs, ...others }: NewFiring) {
  const { level, extreme, headline, because, untold } = others
  const place = { rule: ruleId, project: projectId, issue: issueId, number: issueNumber }
  const times = { started: startedMs, ended: endedMs }
  return { ...place, ...times, level, extreme, headline, because, untold }
}
