/** The beat's side: what evaluating rules reads and writes, as SQL. */
import type { AlertStore, Candidate, NewFiring, RuleStateRow } from '#alerts/rules/alert-store.ts'
import { evaluateRules } from '#alerts/rules/evaluate.ts'
import { lookUpAdditions } from '#alerts/rules/look-ups.ts'
import { assert } from '#base/errors.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { type AlertRule, QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { latestRelease } from '#model/release-order.ts'
import type { AlertBeat, DigestLookedUp } from '#ports/alerts.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { releasesOfProject } from '../releases/release-rows.ts'
import { SuspectFinder } from '../releases/suspects.ts'
import { addCandidate } from '../rows/alert-candidates.ts'
import { openIncidents } from '../rows/open-incidents.ts'
import { alertFigures } from './alert-figures.ts'
import { addToSlot, alertsVersion, readSlots, rulesOn } from './alert-rows.ts'
import { insertMessages } from './message-queue.ts'
import { readToldAlert, readWatchedIssue } from './watched-issue.ts'

export function alertBeat(db: Connection): AlertBeat {
  const rules = keptRules(db)
  return {
    evaluateDue: async (nowMs, metrics) =>
      db.transaction(() => evaluateRules({ ...alertStore(db), rulesOn: rules }, nowMs, metrics)),
    noteLookUps: async (lookUps, nowMs) => db.transaction(() => noteLookUps(db, lookUps, nowMs)),
  }
}

/** A thousand rules are megabytes: they are read again after one of them changed. */
function keptRules(db: Connection): AlertStore['rulesOn'] {
  let kept: { readonly version: number; readonly rules: readonly AlertRule[] } | null = null
  return () => {
    const version = alertsVersion(db)
    if (kept?.version !== version) kept = { version, rules: rulesOn(db) }
    return kept.rules
  }
}

function noteLookUps(db: Connection, lookUps: readonly DigestLookedUp[], nowMs: number): void {
  const isWatched = rulesOn(db).some(
    (rule) => rule.kind === 'issue' && rule.when.some(({ on }) => on === 'digest'),
  )
  if (!isWatched) return
  for (const addition of lookUpAdditions(lookUps, nowMs)) addToSlot(db, addition)
  for (const { issueId } of lookUps) addCandidate(db, issueId, { moment: 'digest', atMs: nowMs })
}

export function alertStore(db: Connection): AlertStore {
  return {
    ...waiting(db),
    ...named(db),
    ...alertFigures(db),
    ...firings(db),
    rulesOn: () => rulesOn(db),
    slots: (key, width, first, last) => readSlots(db, { key, width }, { first, last }),
    queueMessages: (messages, nowMs) => insertMessages(db, messages, nowMs),
    openIncidents: (issue) => openIncidents(db, issue),
    changeIssues: (changes) => changeIssues(db, changes),
  }
}

function waiting(db: Connection): Pick<AlertStore, 'candidates' | 'removeCandidates' | 'keepProgress'> {
  return {
    *candidates(limit) {
      const sql = `WITH turns AS (
          SELECT c.id, row_number() OVER (PARTITION BY p.org_id ORDER BY c.id) AS turn
          FROM alert_candidates c JOIN projects p ON p.id = c.project_id
          WHERE (SELECT substatus FROM issues WHERE id = c.issue_id) IS NOT 'waiting'
          ORDER BY turn, c.id LIMIT ?)
        SELECT c.id, project_id AS projectId, issue_id AS issueId, moment, at_ms AS atMs, facts
        FROM turns JOIN alert_candidates c ON c.id = turns.id ORDER BY turn, c.id`
      type Row = Omit<Candidate, 'facts'> & { readonly facts: string }
      // Few of many are looked at in one transaction.
      for (const row of db.all<Row>(sql, [limit])) {
        const { progress, ...facts } = JSON.parse(row.facts)
        yield { ...row, facts, ...(progress === undefined ? {} : { progress }) }
      }
    },
    keepProgress(id, progress) {
      const sql = `UPDATE alert_candidates SET facts = json_set(facts, '$.progress', json(?)) WHERE id = ?`
      db.run(sql, [JSON.stringify(progress), id])
    },
    removeCandidates(ids) {
      const sql = 'DELETE FROM alert_candidates WHERE id IN (SELECT value FROM json_each(?))'
      if (ids.length > 0) db.run(sql, [JSON.stringify(ids)])
    },
  }
}

const PROJECT = 'SELECT id, org_id AS orgId, slug, name FROM projects'

type Named = 'issue' | 'project' | 'projects' | 'organisation' | 'quietHours' | 'latestRelease' | 'told'

function named(db: Connection): Pick<AlertStore, Named> {
  const suspects = new SuspectFinder(db)
  // Nothing changes them meanwhile, and each of many issues is held against many rules.
  const latest = new Map<ProjectId, string | null>()
  return {
    issue: (id) => readWatchedIssue(db, id),
    told: (id) => readToldAlert(db, id, suspects),
    project: (id) => db.get<ProjectRow>(`${PROJECT} WHERE id = ?`, [id]) ?? null,
    projects: (org) => db.all<ProjectRow>(`${PROJECT} WHERE org_id = ? ORDER BY id`, [org]),
    organisation(id) {
      const org = db.get<{ slug: string; name: string }>(
        'SELECT slug, name FROM organisations WHERE id = ?',
        [id],
      )
      assert(org !== undefined, `no organisation ${id}: its rules go with it`)
      return { id, ...org }
    },
    quietHours: (org) => readQuietHours(db, org),
    latestRelease(project) {
      const known = latest.get(project)
      if (known !== undefined) return known
      const found = latestRelease(releasesOfProject(db, project))?.version ?? null
      latest.set(project, found)
      return found
    },
  }
}

interface ProjectRow {
  readonly id: ProjectId
  readonly orgId: OrgId
  readonly slug: string
  readonly name: string
}

export function readQuietHours(db: Connection, org: OrgId): QuietHours {
  const row = db.get<{ hours: string }>('SELECT hours FROM alert_quiet_hours WHERE org_id = ?', [org])
  return row === undefined ? QUIET_HOURS_DEFAULT : JSON.parse(row.hours)
}

type Firings =
  | 'state'
  | 'putState'
  | 'lastFiredMs'
  | 'firedAfter'
  | 'addFiring'
  | 'firingLevel'
  | 'changeFiring'

function firings(db: Connection): Pick<AlertStore, Firings> {
  return {
    state(rule) {
      const sql = `SELECT level, since_ms AS sinceMs, value, firing_id AS firingId, told_ms AS toldMs,
        storm_ms AS stormMs FROM alert_states WHERE rule_id = ?`
      return db.get<RuleStateRow>(sql, [rule]) ?? null
    },
    putState(rule, { level, sinceMs, value, firingId, toldMs, stormMs }) {
      const sql = `INSERT OR REPLACE INTO alert_states (rule_id, level, since_ms, value, firing_id, told_ms, storm_ms)
        VALUES (:rule, :level, :since, :value, :firing, :told, :storm)`
      const times = { since: sinceMs, told: toldMs, storm: stormMs }
      db.run(sql, { rule, level, value, firing: firingId, ...times })
    },
    lastFiredMs(rule, issue) {
      // alert_firings_by_issue
      const sql = 'SELECT max(started_ms) AS atMs FROM alert_firings WHERE rule_id = ? AND issue_id = ?'
      return db.get<{ atMs: number | null }>(sql, [rule, issue])?.atMs ?? null
    },
    firedAfter(rule, afterMs) {
      // alert_firings_by_rule
      const sql = `SELECT headline, untold, issue_id AS issueId, project_id AS projectId FROM alert_firings
        WHERE rule_id = ? AND started_ms > ? ORDER BY started_ms, id`
      type Row = Pick<NewFiring, 'headline' | 'issueId' | 'projectId'> & { readonly untold: string | null }
      const rows = db.all<Row>(sql, [rule, afterMs])
      const gathered = rows.filter(({ untold }) => untold === 'storm')
      const headlines = gathered.map(({ headline }) => headline)
      const told = rows.filter(({ untold }) => untold === null).length
      const { issueId = null, projectId = null } = gathered.at(-1) ?? {}
      return { told, headlines, last: issueId === null || projectId === null ? null : { issueId, projectId } }
    },
    addFiring: (firing) => insertFiring(db, firing),
    firingLevel(id) {
      const sql = 'SELECT level FROM alert_firings WHERE id = ?'
      return db.get<Pick<NewFiring, 'level'>>(sql, [id])?.level ?? null
    },
    changeFiring(id, { level, endedMs, extreme }) {
      const sql = `UPDATE alert_firings SET level = coalesce(:level, level), ended_ms = coalesce(:ended, ended_ms),
        extreme = coalesce(:extreme, extreme) WHERE id = :id`
      db.run(sql, { id, level: level ?? null, ended: endedMs ?? null, extreme: extreme ?? null })
    },
  }
}

function insertFiring(db: Connection, firing: Parameters<AlertStore['addFiring']>[0]): number {
  const { ruleId, projectId, issueId, issueNumber, startedMs, endedMs, ...others } = firing
  const { level, extreme, headline, because, untold } = others
  const sql = `INSERT INTO alert_firings (rule_id, project_id, issue_id, issue_number, level, started_ms, ended_ms,
      extreme, headline, because, untold)
    VALUES (:rule, :project, :issue, :number, :level, :started, :ended, :extreme, :headline, :because, :untold)`
  const place = { rule: ruleId, project: projectId, issue: issueId, number: issueNumber }
  const times = { started: startedMs, ended: endedMs }
  return db.run(sql, { ...place, ...times, level, extreme, headline, because, untold }).lastId
}
