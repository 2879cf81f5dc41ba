/** Writes people's settings of rules, quiet hours, and emails. */

import { PRESET_RULES } from '#alerts/rules/presets.ts'
import {
  countsOtherwise,
  namesOfRule,
  RULE_REFUSALS,
  refuseCounting,
  refuseRules,
  testOf,
} from '#alerts/rules/rule-changes.ts'
import type { OrgId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import type { QuietHours, RuleDraft, RuleMute } from '#model/alert-rule.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { AlertsWrite } from '#ports/alerts.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { countOf } from '../rows/account-rows.ts'
import { raiseAlertsVersion } from '../rows/alert-candidates.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { alertStore, readQuietHours } from './alert-beat.ts'
import { forgetSlots, ruleOfOrg, rulesOfOrg } from './alert-rows.ts'
import { emailMomentsOff } from './email-moments.ts'
import { insertMessages } from './message-queue.ts'

export function alertsWrite(db: Connection): AlertsWrite {
  return {
    createRule: async (org, draft, actor) => db.transaction(() => createRule(db, { org, draft }, actor)),
    changeRule: async (org, id, { seen, ...draft }, actor) =>
      db.transaction(() => changeRule(db, { org, id, draft, seen }, actor)),
    deleteRule: async (org, id, actor) => db.transaction(() => deleteRule(db, { org, id }, actor)),
    muteRule: async (org, id, mute, actor) => db.transaction(() => muteRule(db, { org, id, mute }, actor)),
    testRule: async (org, id, actor) =>
      db.transaction(() => {
        const rule = ruleOfOrg(db, org, id)
        if (rule === null) return RULE_REFUSALS.noRule()
        const messages = testOf(alertStore(db), rule, actor)
        insertMessages(db, messages, actor.atMs)
        writeAudit(db, org, actor, { action: 'alert_rule.tested', target: rule.name })
        return ok({ messages: messages.length })
      }),
    setQuietHours: async (org, hours, actor) =>
      db.transaction(() => setQuietHours(db, { org, ...hours }, actor)),
    setEmailMomentsOff: async (user, off, actor) =>
      db.transaction(() => setEmailMomentsOff(db, { user, off }, actor)),
  }
}

/** With an organisation that begins. */
export function insertPresets(db: Connection, org: OrgId, atMs: number): void {
  const by: Actor = { userId: null, tokenId: null, label: 'Errata', address: null, atMs }
  for (const draft of PRESET_RULES) insertRule(db, { org, draft, isPreset: true }, by)
  raiseAlertsVersion(db)
}

interface NewRule {
  readonly org: OrgId
  readonly draft: RuleDraft
  readonly isPreset: boolean
}

function insertRule(db: Connection, { org, draft, isPreset }: NewRule, actor: Actor): number {
  const sql = `INSERT INTO alert_rules (org_id, draft, is_preset, created_by, created_by_id, created_ms, changed_by,
      changed_ms)
    VALUES (:org, :draft, :preset, :by, :id, :now, :by, :now)`
  const made = { by: actor.label, id: actor.userId, now: actor.atMs }
  return db.run(sql, { org, draft: JSON.stringify(draft), preset: isPreset ? 1 : 0, ...made }).lastId
}

function createRule(
  db: Connection,
  { org, draft }: { readonly org: OrgId; readonly draft: RuleDraft },
  actor: Actor,
): Result<{ readonly id: number }> {
  const count = countOf(db, 'SELECT count(*) AS count FROM alert_rules WHERE org_id = ?', [org])
  const refused =
    refuseRules(count) ?? refuseCounting(rulesOfOrg(db, org), draft) ?? refuseUnknown(db, org, draft)
  if (refused !== null) return refused
  const id = insertRule(db, { org, draft, isPreset: false }, actor)
  raiseAlertsVersion(db)
  writeAudit(db, org, actor, {
    action: 'alert_rule.created',
    target: draft.name,
    detail: { kind: draft.kind },
  })
  return ok({ id })
}

/** Refuses names that do not belong to the organisation. */
function refuseUnknown(db: Connection, org: OrgId, draft: RuleDraft) {
  const tables = {
    projects: 'SELECT count(*) AS count FROM projects WHERE org_id = ?',
    channels: 'SELECT count(*) AS count FROM channels WHERE org_id = ?',
    teams: 'SELECT count(*) AS count FROM teams WHERE org_id = ?',
    people: 'SELECT count(*) AS count FROM memberships WHERE org_id = ?',
  } as const
  const column = { projects: 'id', channels: 'id', teams: 'id', people: 'user_id' } as const
  const names = namesOfRule(draft)
  for (const sort of ['projects', 'channels', 'teams', 'people'] as const) {
    const ids = names[sort]
    if (ids.length === 0) continue
    const sql = `${tables[sort]} AND ${column[sort]} IN (SELECT value FROM json_each(?))`
    if (countOf(db, sql, [org, JSON.stringify(ids)]) < ids.length) return RULE_REFUSALS.unknown(sort)
  }
  return null
}

function changeRule(
  db: Connection,
  {
    org,
    id,
    draft,
    seen,
  }: {
    readonly org: OrgId
    readonly id: number
    readonly draft: RuleDraft
    readonly seen: SeenSettings | undefined
  },
  actor: Actor,
): Result<null> {
  const before = ruleOfOrg(db, org, id)
  if (before === null) return RULE_REFUSALS.noRule()
  const others = () => rulesOfOrg(db, org).filter((rule) => rule.id !== id)
  const crowded = countsOtherwise(before, draft) ? refuseCounting(others(), draft) : null
  const refused = refuseUnseen(before, seen) ?? crowded ?? refuseUnknown(db, org, draft)
  if (refused !== null) return refused
  const sql = 'UPDATE alert_rules SET draft = ?, changed_by = ?, changed_ms = ? WHERE id = ?'
  const set = draft.owner === undefined ? { ...draft, owner: before.owner } : draft
  db.run(sql, [JSON.stringify(set), actor.label, actor.atMs, id])
  if (countsOtherwise(before, draft)) {
    forgetSlots(db, id)
    endFiring(db, id, actor.atMs)
  }
  raiseAlertsVersion(db)
  const detail = { kind: draft.kind, isOn: draft.isOn }
  writeAudit(db, org, actor, { action: 'alert_rule.changed', target: draft.name, detail })
  return ok(null)
}

/** Ends a firing of a rule that is deleted; nobody is told that it is over. */
function endFiring(db: Connection, rule: number, nowMs: number): void {
  db.run('UPDATE alert_firings SET ended_ms = ? WHERE rule_id = ? AND ended_ms IS NULL', [nowMs, rule])
  db.run('DELETE FROM alert_states WHERE rule_id = ?', [rule])
}

function deleteRule(
  db: Connection,
  { org, id }: { readonly org: OrgId; readonly id: number },
  actor: Actor,
): Result<null> {
  const before = ruleOfOrg(db, org, id)
  if (before === null) return RULE_REFUSALS.noRule()
  forgetSlots(db, id)
  db.run('DELETE FROM alert_rules WHERE id = ?', [id])
  raiseAlertsVersion(db)
  writeAudit(db, org, actor, { action: 'alert_rule.deleted', target: before.name })
  return ok(null)
}

function muteRule(
  db: Connection,
  { org, id, mute }: { readonly org: OrgId; readonly id: number; readonly mute: RuleMute | null },
  actor: Actor,
): Result<null> {
  const before = ruleOfOrg(db, org, id)
  if (before === null) return RULE_REFUSALS.noRule()
  db.run('UPDATE alert_rules SET mute = ? WHERE id = ?', [mute === null ? null : JSON.stringify(mute), id])
  raiseAlertsVersion(db)
  const action = mute === null ? 'alert_rule.unmuted' : 'alert_rule.muted'
  const detail = mute === null ? {} : { untilMs: mute.untilMs }
  writeAudit(db, org, actor, { action, target: before.name, detail })
  return ok(null)
}

function setQuietHours(
  db: Connection,
  { org, seen, ...hours }: QuietHours & { readonly org: OrgId; readonly seen?: SeenSettings | undefined },
  actor: Actor,
): Result<null> {
  const before = readQuietHours(db, org)
  const unseen = refuseUnseen(before, seen)
  if (unseen !== null) return unseen
  if (JSON.stringify(before) === JSON.stringify(hours)) return ok(null)
  const sql = 'INSERT OR REPLACE INTO alert_quiet_hours (org_id, hours) VALUES (?, ?)'
  db.run(sql, [org, JSON.stringify(hours)])
  const detail = { ...hours }
  writeAudit(db, org, actor, { action: 'quiet_hours.changed', target: 'Quiet hours', detail })
  return ok(null)
}

function setEmailMomentsOff(
  db: Connection,
  { user, off }: { readonly user: UserId; readonly off: readonly string[] },
  actor: Actor,
): void {
  const before = emailMomentsOff(db, user)
  if (JSON.stringify(before) === JSON.stringify(off.toSorted())) return
  db.run('DELETE FROM alert_email_off WHERE user_id = ?', [user])
  for (const moment of off)
    db.run('INSERT INTO alert_email_off (user_id, moment) VALUES (?, ?)', [user, moment])
  const detail = { off: off.join(', ') }
  writeAccountAudit(db, user, actor, { action: 'account.alerts_chosen', target: actor.label, detail })
}
