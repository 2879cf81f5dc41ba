/** Commands of people about alert rules. What is sent is read by the schemas of `alert-schemas.ts`. */
import { roleIn } from '#access/access.ts'
import { nextMonday } from '#alerts/rules/quiet-hours.ts'
import {
  countsOtherwise,
  namesOfRule,
  RULE_REFUSALS,
  refuseCounting,
  refuseRules,
} from '#alerts/rules/rule-changes.ts'
import { HOUR_MS } from '#base/durations.ts'
import { projectId, teamId, userId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { QuietHours, RuleDraft, RuleMute } from '#model/alert-rule.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { ALERT_QUIET_HOURS, ALERT_RULES } from '#model/tables/alerts.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { MEMBERSHIPS, TEAMS } from '#model/tables/organisations.ts'
import { PROJECTS } from '#model/tables/projects.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { MUTE, QUIET_HOURS, RULE_DRAFT } from './alert-schemas.ts'
import { type Asking, actorOf } from './asking.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, preparedCommand } from './command.ts'
import type { AlertRuleParts, CommandParts } from './parts.ts'
import { readInput } from './schemas.ts'

type OfRule = { readonly rule: number }
type Drafted = { readonly draft: RuleDraft }
type Seeing = { readonly seen?: SeenSettings | undefined }
type Parts = Pick<CommandParts, 'alertRules' | 'clock'>

export const createRule = preparedCommand({
  permission: 'alert.write',
  input: (draft: unknown) => ok({ draft }),
  prepare: async (parts: Parts, asking, { draft }: { readonly draft: unknown }): Promise<Result<Drafted>> => {
    if (parts.alertRules === undefined) return noAlerts()
    const checked = checkedDraft(asking, draft)
    return checked.ok ? ok({ draft: checked.value }) : checked
  },
  change: async (tx, { draft }: Drafted, { scope: { orgId }, actor }) => {
    const rows = tx.rows(ALERT_RULES)
    const refused =
      refuseRules(await rows.count({ orgId })) ??
      refuseCounting(await otherDrafts(tx, orgId, null), draft) ??
      (await refuseUnknown(tx, orgId, draft))
    if (refused !== null) return refused
    const { label: by, atMs } = actor
    const made = { createdBy: by, createdById: actor.userId, createdMs: atMs, changedBy: by, changedMs: atMs }
    const [id = 0] = await rows.insert([{ orgId, draft, isPreset: false, ...made }])
    await tx.alerts.noteChange()
    const detail = { kind: draft.kind }
    await writeAudit(tx, orgId, actor, { action: 'alert_rule.created', target: draft.name, detail })
    return ok({ id })
  },
})

/** Counts are reset if the rule now counts something else. `seen` describes the draft that the editor replaces. */
export const changeRule = preparedCommand({
  permission: 'alert.write',
  input: (change: OfRule & Seeing & { readonly draft: unknown }) => ok(change),
  prepare: async (
    parts: Parts,
    asking,
    { draft, ...asked }: OfRule & Seeing & { readonly draft: unknown },
  ): Promise<Result<OfRule & Seeing & Drafted>> => {
    const found = await findRuleToChange(parts, asking, asked)
    if (!found.ok) return found
    const checked = checkedDraft(asking, draft)
    return checked.ok ? ok({ ...asked, draft: checked.value }) : checked
  },
  change: (tx, { rule: id, draft, seen }: OfRule & Seeing & Drafted, by) => {
    const { scope, actor } = by
    return changeFound(tx, by, {
      find: tx.alerts.rule(scope.orgId, id),
      missing: RULE_REFUSALS.noRule,
      change: async (before) => {
        const crowded = countsOtherwise(before, draft)
          ? refuseCounting(await otherDrafts(tx, scope.orgId, id), draft)
          : null
        const refused = refuseUnseen(before, seen) ?? crowded ?? (await refuseUnknown(tx, scope.orgId, draft))
        if (refused !== null) return refused
        const changed = { changedBy: actor.label, changedMs: actor.atMs }
        const kept = draft.owner === undefined ? { ...draft, owner: before.owner } : draft
        await tx.rows(ALERT_RULES).update([{ id, draft: kept, ...changed }])
        if (countsOtherwise(before, draft)) {
          await tx.alerts.forgetCounts(id)
          await tx.alerts.endFiring(id, actor.atMs)
        }
        await tx.alerts.noteChange()
        const detail = { kind: draft.kind, isOn: draft.isOn }
        return { action: 'alert_rule.changed', target: draft.name, detail }
      },
    })
  },
})

export const deleteRule = preparedCommand({
  permission: 'alert.write',
  input: (rule: number) => ok({ rule }),
  prepare: (parts: Parts, asking, asked: OfRule) => findRuleToChange(parts, asking, asked),
  change: (tx, { rule: id }: OfRule, by) =>
    changeFound(tx, by, {
      find: tx.alerts.rule(by.scope.orgId, id),
      missing: RULE_REFUSALS.noRule,
      change: async ({ name: target }) => {
        await tx.alerts.forgetCounts(id)
        await tx.rows(ALERT_RULES).remove({ id })
        await tx.alerts.noteChange()
        return { action: 'alert_rule.deleted', target }
      },
    }),
})

type Muting = OfRule & { readonly mute: RuleMute | null }

/** Mutes a rule for an hour, until Monday, or for ever; `now` unmutes it. */
export const muteRule = preparedCommand({
  permission: 'alert.write',
  input: (asked: OfRule & { readonly mute: unknown }) => ok(asked),
  prepare: async (
    parts: Parts,
    asking,
    { rule, mute }: OfRule & { readonly mute: unknown },
  ): Promise<Result<Muting>> => {
    const found = await findRuleToChange(parts, asking, { rule })
    if (!found.ok) return found
    const checked = readInput(MUTE, mute)
    if (!checked.ok) return checked
    return ok({ rule, mute: await muteUntil(parts, asking, checked.value.until) })
  },
  change: (tx, { rule: id, mute }: Muting, by) =>
    changeFound(tx, by, {
      find: tx.alerts.rule(by.scope.orgId, id),
      missing: RULE_REFUSALS.noRule,
      change: async ({ name: target }) => {
        await tx.rows(ALERT_RULES).update([{ id, mute }])
        await tx.alerts.noteChange()
        return mute === null
          ? { action: 'alert_rule.unmuted', target }
          : { action: 'alert_rule.muted', target, detail: { untilMs: mute.untilMs } }
      },
    }),
})

/** Sends a test to every receiver of the rule. */
export const testRule = preparedCommand({
  permission: 'alert.write',
  input: (rule: number) => ok({ rule }),
  prepare: (parts: Parts, asking, asked: OfRule) => findRuleToChange(parts, asking, asked),
  change: async (tx, { rule: id }: OfRule, { scope: { orgId }, actor }) => {
    const rule = await tx.alerts.rule(orgId, id)
    if (rule === null) return RULE_REFUSALS.noRule()
    const messages = await tx.alerts.queueTest(rule, actor)
    await writeAudit(tx, orgId, actor, { action: 'alert_rule.tested', target: rule.name })
    return ok({ messages })
  },
  after: ({ alertRules }) => alertRules?.wake(),
})

export const setQuietHours = preparedCommand({
  permission: 'alert.write',
  input: (asked: Seeing & { readonly hours: unknown }) => ok(asked),
  prepare: async (
    parts: Parts,
    _asking,
    { hours, seen }: Seeing & { readonly hours: unknown },
  ): Promise<Result<Seeing & { readonly hours: QuietHours }>> => {
    if (parts.alertRules === undefined) return noAlerts()
    const checked = readInput(QUIET_HOURS, hours)
    return checked.ok ? ok({ hours: checked.value, seen }) : checked
  },
  change: async (
    tx,
    { hours, seen }: Seeing & { readonly hours: QuietHours },
    { scope: { orgId }, actor },
  ) => {
    const before = await tx.alerts.quietHours(orgId)
    const unseen = refuseUnseen(before, seen)
    if (unseen !== null) return unseen
    if (JSON.stringify(before) === JSON.stringify(hours)) return ok(null)
    await tx.rows(ALERT_QUIET_HOURS).merge([{ orgId, hours }])
    const detail = { ...hours }
    await writeAudit(tx, orgId, actor, { action: 'quiet_hours.changed', target: 'Quiet hours', detail })
    return ok(null)
  },
})

/** Finds a rule that the viewer sees, and whose projects they may read all. */
async function findRuleToChange(parts: Parts, asking: Asking, asked: OfRule): Promise<Result<OfRule>> {
  const { alertRules, clock } = parts
  if (alertRules === undefined) return noAlerts()
  const found = await alertRules.read.alertRule(asking.scope, asked.rule, clock.now())
  if (found === null) return refuse('not_found', 'The rule does not exist.')
  return refuseReach(asking, found.rule) ?? ok({ ...asked })
}

function checkedDraft(asking: Asking, draft: unknown): Result<RuleDraft> {
  const checked = readInput(RULE_DRAFT, draft)
  if (!checked.ok) return checked
  return refuseReach(asking, checked.value) ?? ok(checked.value)
}

/** Refuses rules about projects that their author may not read: a channel shows them to whoever is in it. */
function refuseReach({ viewer, scope }: Asking, { projects }: Pick<RuleDraft, 'projects'>): Refusal | null {
  const role = roleIn(viewer, scope)
  if (role === null || role === 'owner' || role === 'manager') return null
  if (projects?.every((id) => scope.projects.includes(id))) return null
  return refuse('forbidden', 'A rule can only watch projects you can see. Choose the projects.', {
    projects: ['Choose projects of your teams.'],
  })
}

async function muteUntil(
  parts: Parts,
  asking: Asking,
  until: 'hour' | 'monday' | 'forever' | 'now',
): Promise<RuleMute | null> {
  const { label: by, atMs } = actorOf(parts, asking)
  switch (until) {
    case 'hour':
      return { untilMs: atMs + HOUR_MS, by }
    case 'monday':
      return { untilMs: await nextMondayOf(parts.alertRules, asking, atMs), by }
    case 'forever':
      return { untilMs: null, by }
    case 'now':
      return null
  }
}

async function nextMondayOf(
  alerts: AlertRuleParts | undefined,
  { scope }: Asking,
  atMs: number,
): Promise<number | null> {
  return alerts === undefined ? null : nextMonday(await alerts.read.quietHours(scope), atMs)
}

/** Returns the organisation's rules but for the one of this id; `null`: all. */
async function otherDrafts(
  tx: Tx,
  orgId: By['scope']['orgId'],
  id: number | null,
): Promise<readonly RuleDraft[]> {
  const rules = await tx.rows(ALERT_RULES).find({ orgId }, max('alertRulesPerOrgMax'))
  return rules.filter((rule) => rule.id !== id).map(({ draft }) => draft)
}

/** Refuses names that do not belong to the organisation. */
async function refuseUnknown(tx: Tx, orgId: By['scope']['orgId'], draft: RuleDraft): Promise<Refusal | null> {
  const names = namesOfRule(draft)
  const counts = {
    projects: (ids: readonly number[]) => tx.rows(PROJECTS).count({ orgId, id: ids.map(projectId) }),
    channels: (id: readonly number[]) => tx.rows(CHANNELS).count({ orgId, id }),
    teams: (ids: readonly number[]) => tx.rows(TEAMS).count({ orgId, id: ids.map(teamId) }),
    people: (ids: readonly number[]) => tx.rows(MEMBERSHIPS).count({ orgId, userId: ids.map(userId) }),
  }
  for (const sort of ['projects', 'channels', 'teams', 'people'] as const) {
    const ids = names[sort]
    if (ids.length > 0 && (await counts[sort](ids)) < ids.length) return RULE_REFUSALS.unknown(sort)
  }
  return null
}

export function noAlerts(): Refusal {
  return refuse('conflict', 'This process evaluates no alert rules.')
}
