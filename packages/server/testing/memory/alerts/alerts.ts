/** What people set about rules, and what they see of them. */
import { PRESET_RULES } from '#alerts/rules/presets.ts'
import {
  countsOtherwise,
  namesOfRule,
  RULE_REFUSALS,
  refuseRules,
  testOf,
} from '#alerts/rules/rule-changes.ts'
import { firedByDay, isVisible } from '#alerts/rules/rule-views.ts'
import { DAY_MS } from '#base/durations.ts'
import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Refusal } from '#base/result.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { type AlertRule, EMAIL_MOMENTS, QUIET_HOURS_DEFAULT, type RuleDraft } from '#model/alert-rule.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import type { AlertRuleView, AlertsRead, AlertsWrite } from '#ports/alerts.ts'
import type { Actor } from '#ports/scope.ts'
import type { FiringRow } from '../alert-tables.ts'
import { ascending, byId, descending, inOrder } from '../order.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { readableProjects } from '../rows/readable.ts'
import type { Tables } from '../tables.ts'
import { alertStore } from './alert-beat.ts'
import { forgetSlots } from './alert-rows.ts'
import { insertMessages } from './message-queue.ts'

export function insertPresets(to: Tables, org: OrgId, atMs: number): void {
  const by: Actor = { userId: null, tokenId: null, label: 'Errata', address: null, atMs }
  for (const draft of PRESET_RULES) insertRule(to, { org, draft, isPreset: true }, by)
}

interface NewRule {
  readonly org: OrgId
  readonly draft: RuleDraft
  readonly isPreset: boolean
}

function insertRule(to: Tables, { org, draft, isPreset }: NewRule, { label, userId, atMs }: Actor): number {
  const id = to.alertRules.nextId()
  const made = { createdBy: label, createdById: userId as UserId | null, createdMs: atMs } // an actor's number is of a user
  to.alertRules.put(id, {
    ...draft,
    ...made,
    id,
    orgId: org,
    isPreset,
    changedBy: label,
    changedMs: atMs,
    mute: null,
  })
  return id
}

export function alertsWrite(to: Tables): AlertsWrite {
  return {
    ...rulesWrite(to),
    setQuietHours: async (org, { seen, ...hours }, actor) =>
      to.transaction(() => {
        const before = to.quietHours.get(org) ?? QUIET_HOURS_DEFAULT
        const unseen = refuseUnseen(before, seen)
        if (unseen !== null) return unseen
        if (JSON.stringify(before) === JSON.stringify(hours)) return ok(null)
        to.quietHours.put(org, hours)
        writeAudit(to, org, actor, {
          action: 'quiet_hours.changed',
          target: 'Quiet hours',
          detail: { ...hours },
        })
        return ok(null)
      }),
    setEmailMomentsOff: async (user, off, actor) =>
      to.transaction(() => {
        const before = to.emailMomentsOff.get(user)?.off ?? []
        if (JSON.stringify(before.toSorted()) === JSON.stringify(off.toSorted())) return
        to.emailMomentsOff.put(user, { off })
        const detail = { off: off.join(', ') }
        writeAccountAudit(to, user, actor, { action: 'account.alerts_chosen', target: actor.label, detail })
      }),
  }
}

function rulesWrite(to: Tables): Omit<AlertsWrite, 'setQuietHours' | 'setEmailMomentsOff'> {
  return {
    createRule: async (org, draft, actor) =>
      to.transaction(() => {
        const count = to.alertRules.where(({ orgId }) => orgId === org).length
        const refused = refuseRules(count) ?? refuseUnknown(to, org, draft)
        if (refused !== null) return refused
        const id = insertRule(to, { org, draft, isPreset: false }, actor)
        writeAudit(to, org, actor, {
          action: 'alert_rule.created',
          target: draft.name,
          detail: { kind: draft.kind },
        })
        return ok({ id })
      }),
    changeRule: async (org, id, { seen, ...draft }, actor) =>
      to.transaction(() => {
        const before = ruleOf(to, org, id)
        if (before === null) return RULE_REFUSALS.noRule()
        const refused = refuseUnseen(before, seen) ?? refuseUnknown(to, org, draft)
        if (refused !== null) return refused
        const { isPreset, createdBy, createdById, createdMs, mute } = before
        const kept = { id, orgId: org, isPreset, createdBy, createdById, createdMs, mute }
        to.alertRules.put(id, { ...draft, ...kept, changedBy: actor.label, changedMs: actor.atMs })
        if (countsOtherwise(before, draft)) {
          forgetSlots(to, id)
          to.alertStates.delete(id)
          for (const firing of to.alertFirings.where((row) => row.ruleId === id && row.endedMs === null))
            to.alertFirings.change(firing.id, { endedMs: actor.atMs })
        }
        const detail = { kind: draft.kind, isOn: draft.isOn }
        writeAudit(to, org, actor, { action: 'alert_rule.changed', target: draft.name, detail })
        return ok(null)
      }),
    deleteRule: async (org, id, actor) =>
      to.transaction(() => {
        const before = ruleOf(to, org, id)
        if (before === null) return RULE_REFUSALS.noRule()
        forgetSlots(to, id)
        to.alertRules.delete(id)
        to.alertStates.delete(id)
        to.alertFirings.deleteWhere(({ ruleId }) => ruleId === id)
        writeAudit(to, org, actor, { action: 'alert_rule.deleted', target: before.name })
        return ok(null)
      }),
    muteRule: async (org, id, mute, actor) =>
      to.transaction(() => {
        const before = ruleOf(to, org, id)
        if (before === null) return RULE_REFUSALS.noRule()
        to.alertRules.change(id, { mute })
        const action = mute === null ? 'alert_rule.unmuted' : 'alert_rule.muted'
        const detail = mute === null ? {} : { untilMs: mute.untilMs }
        writeAudit(to, org, actor, { action, target: before.name, detail })
        return ok(null)
      }),
    testRule: async (org, id, actor) =>
      to.transaction(() => {
        const rule = ruleOf(to, org, id)
        if (rule === null) return RULE_REFUSALS.noRule()
        const messages = testOf(alertStore(to), rule, actor)
        insertMessages(to, messages, actor.atMs)
        writeAudit(to, org, actor, { action: 'alert_rule.tested', target: rule.name })
        return ok({ messages: messages.length })
      }),
  }
}

/** Its project, or one of those of its rule, or all of the organisation. */
function isOpen(
  of: Tables,
  { projectId, ruleId }: { readonly projectId: ProjectId | null; readonly ruleId: number },
  readable: ReadonlySet<ProjectId>,
): boolean {
  if (projectId !== null) return readable.has(projectId)
  const projects = of.alertRules.get(ruleId)?.projects ?? null
  return projects === null || projects.some((id) => readable.has(id))
}

function ruleOf(of: Tables, org: OrgId, id: number): AlertRule | null {
  const rule = of.alertRules.get(id)
  return rule === undefined || rule.orgId !== org ? null : rule
}

/** What a rule names must be of its organisation. */
function refuseUnknown(of: Tables, org: OrgId, draft: RuleDraft): Refusal | null {
  const names = namesOfRule(draft)
  const known: Readonly<Record<keyof typeof names, readonly number[]>> = {
    projects: of.projects.where(({ orgId }) => orgId === org).map(({ id }) => id),
    channels: of.channels.where(({ orgId }) => orgId === org).map(({ id }) => id),
    teams: of.teams.where(({ orgId }) => orgId === org).map(({ id }) => id),
    people: of.memberships.where(({ orgId }) => orgId === org).map(({ userId }) => userId),
  }
  for (const sort of ['projects', 'channels', 'teams', 'people'] as const)
    if (names[sort].some((id) => !known[sort].includes(id))) return RULE_REFUSALS.unknown(sort)
  return null
}

export function alertsRead(of: Tables): AlertsRead {
  return {
    alertRules: async (scope, nowMs) =>
      of.alertRules
        .where((rule) => isVisible(rule, scope))
        .sort(byId)
        .map((rule) => viewOf(of, rule, nowMs)),
    alertRule: async (scope, id, nowMs) => {
      const rule = of.alertRules.get(id)
      return rule === undefined || !isVisible(rule, scope) ? null : viewOf(of, rule, nowMs)
    },
    firings: async (scope, { ruleId, sinceMs, before, limit }) => {
      const readable = readableProjects(of, scope, null)
      return of.alertFirings
        .where(
          (row) =>
            of.alertRules.get(row.ruleId)?.orgId === scope.orgId &&
            (ruleId === null || row.ruleId === ruleId) &&
            row.startedMs >= sinceMs &&
            (before === null || row.id < before) &&
            isOpen(of, row, readable),
        )
        .sort(descending(({ id }) => id))
        .slice(0, limit)
        .map((row) => firingOf(of, row))
    },
    quietHours: async ({ orgId }) => of.quietHours.get(orgId) ?? QUIET_HOURS_DEFAULT,
    emailMomentsOff: async (user) => {
      const off = of.emailMomentsOff.get(user)?.off ?? []
      return EMAIL_MOMENTS.filter((moment) => off.includes(moment))
    },
    pastMoments: async (scope, { projects, kinds, startMs, endMs }) => {
      const readable = readableProjects(of, scope, projects)
      return of.activities
        .where(({ issueId, kind, atMs }) => {
          const project = of.issues.get(issueId)?.projectId
          const isReadable = project !== undefined && readable.has(project)
          return isReadable && kinds.includes(kind) && atMs >= startMs && atMs < endMs
        })
        .sort(
          inOrder(
            ascending(({ atMs }) => atMs),
            ascending(({ id }) => id),
          ),
        )
        .slice(0, max('alertPreviewMomentsMax'))
        .map(({ issueId, atMs }) => ({ issueId, atMs }))
    },
    issueHours: async (scope, { projects, startHour, endHour, atLeast }) => {
      const readable = readableProjects(of, scope, projects)
      const { issueHours } = alertStore(of)
      return of.issues
        .where(({ projectId }) => readable.has(projectId))
        .sort(byId)
        .flatMap(({ id }) => {
          const hours = [...issueHours(id, startHour)].filter(([hour]) => hour < endHour)
          if (!hours.some(([, count]) => count >= atLeast)) return []
          return hours.sort(([a], [b]) => a - b).map(([hour, count]) => ({ issueId: id, hour, count }))
        })
    },
  }
}

function viewOf(of: Tables, rule: AlertRule, nowMs: number): AlertRuleView {
  const state = of.alertStates.get(rule.id)
  const times = of.alertFirings.where(({ ruleId }) => ruleId === rule.id).map(({ startedMs }) => startedMs)
  return {
    rule,
    state: state === undefined ? null : { level: state.level, sinceMs: state.sinceMs, value: state.value },
    firedByDay: firedByDay(
      times.filter((atMs) => atMs >= nowMs - 14 * DAY_MS),
      nowMs,
    ),
    firedLastMs: times.length === 0 ? null : Math.max(...times),
  }
}

function firingOf(of: Tables, { issueId, issueNumber: _, ...row }: FiringRow) {
  const issue = issueId === null ? undefined : of.issues.get(issueId)
  const project = row.projectId === null ? undefined : of.projects.get(row.projectId)
  const isNamed = issue !== undefined && project !== undefined
  return {
    ...row,
    ruleName: of.alertRules.get(row.ruleId)?.name ?? '',
    issue: isNamed ? shortId(project.slug, issue.number) : null,
  }
}
