/** Commands of people about alert rules. */

import { roleIn } from '#access/access.ts'
import type { PersonViewer } from '#access/viewer.ts'
import { nextMonday } from '#alerts/rules/quiet-hours.ts'
import { HOUR_MS } from '#base/durations.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import type { RuleDraft, RuleMute } from '#model/alert-rule.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { EMAIL_OFF, MUTE, QUIET_HOURS, RULE_DRAFT } from './alert-schemas.ts'
import { type Asking, actorOf, type PersonAsking, refusalOf, refuseForeignAccount } from './asking.ts'
import type { AlertRuleParts, CommandParts } from './parts.ts'
import { read } from './schemas.ts'

/** `rule` of what follows is a rule’s number; what is sent is read by the schemas of `alert-schemas.ts`. */
export interface AlertCommands {
  createRule(asking: Asking, draft: unknown): Promise<Result<{ readonly id: number }>>
  changeRule(
    asking: Asking,
    change: { readonly rule: number; readonly draft: unknown; readonly seen?: SeenSettings | undefined },
  ): Promise<Result<null>>
  deleteRule(asking: Asking, rule: number): Promise<Result<null>>
  /** Mutes a rule for an hour, until Monday, or for ever; `now` unmutes it. */
  muteRule(asking: Asking, mute: { readonly rule: number; readonly mute: unknown }): Promise<Result<null>>
  /** Sends a test to every receiver of the rule. */
  testRule(asking: Asking, rule: number): Promise<Result<{ readonly messages: number }>>
  setQuietHours(asking: Asking, hours: unknown, seen?: SeenSettings): Promise<Result<null>>
  setEmailMomentsOff(asking: PersonAsking, moments: unknown): Promise<Result<null>>
}

type Parts = Pick<CommandParts, 'alertRules' | 'clock'>

export function alertCommands(parts: Parts): AlertCommands {
  return {
    createRule: (asking, draft) =>
      writing(parts, asking, async (alerts) => {
        const checked = checkedDraft(asking, draft)
        return checked.ok
          ? alerts.write.createRule(asking.scope.orgId, checked.value, actorOf(parts, asking))
          : checked
      }),
    changeRule: (asking, { rule, draft, seen }) =>
      onRule(parts, asking, rule, async (alerts) => {
        const checked = checkedDraft(asking, draft)
        return checked.ok
          ? alerts.write.changeRule(
              asking.scope.orgId,
              rule,
              { ...checked.value, seen },
              actorOf(parts, asking),
            )
          : checked
      }),
    deleteRule: (asking, rule) =>
      onRule(parts, asking, rule, ({ write }) =>
        write.deleteRule(asking.scope.orgId, rule, actorOf(parts, asking)),
      ),
    muteRule: (asking, { rule, mute }) =>
      onRule(parts, asking, rule, (alerts) => muteRule(parts, asking, { alerts, rule, mute })),
    testRule: (asking, rule) =>
      onRule(parts, asking, rule, async ({ write, wake }) => {
        const sent = await write.testRule(asking.scope.orgId, rule, actorOf(parts, asking))
        if (sent.ok) wake()
        return sent
      }),
    setQuietHours: (asking, hours, seen) =>
      writing(parts, asking, async ({ write }) => {
        const checked = read(QUIET_HOURS, hours)
        if (!checked.ok) return checked
        const set = { ...checked.value, seen }
        return write.setQuietHours(asking.scope.orgId, set, actorOf(parts, asking))
      }),
    setEmailMomentsOff: async (asking: PersonAsking & { readonly viewer: PersonViewer }, moments) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      if (parts.alertRules === undefined) return noAlerts()
      const checked = read(EMAIL_OFF, moments)
      if (!checked.ok) return checked
      const off = [...new Set(checked.value.off)]
      await parts.alertRules.write.setEmailMomentsOff(asking.viewer.user.id, off, actorOf(parts, asking))
      return ok(null)
    },
  }
}

async function writing<T>(
  parts: Parts,
  asking: Asking,
  run: (alerts: AlertRuleParts) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'alert.write')
  if (refusal !== null) return refusal
  return parts.alertRules === undefined ? noAlerts() : run(parts.alertRules)
}

/** A rule that the viewer sees, and whose projects they may read all. */
function onRule<T>(
  parts: Parts,
  asking: Asking,
  ...[rule, run]: readonly [number, (alerts: AlertRuleParts) => Promise<Result<T>>]
): Promise<Result<T>> {
  return writing(parts, asking, async (alerts) => {
    const found = await alerts.read.alertRule(asking.scope, rule, parts.clock.now())
    if (found === null) return refuse('not_found', 'The rule does not exist.')
    return refuseReach(asking, found.rule) ?? run(alerts)
  })
}

function checkedDraft(asking: Asking, draft: unknown): Result<RuleDraft> {
  const checked = read(RULE_DRAFT, draft)
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

async function muteRule(
  parts: Parts,
  asking: Asking,
  { alerts, rule, mute }: { readonly alerts: AlertRuleParts; readonly rule: number; readonly mute: unknown },
): Promise<Result<null>> {
  const checked = read(MUTE, mute)
  if (!checked.ok) return checked
  const actor = actorOf(parts, asking)
  const { until } = checked.value
  const by = actor.label
  const mutes = {
    hour: () => ({ untilMs: actor.atMs + HOUR_MS, by }),
    monday: async () => ({ untilMs: nextMonday(await alerts.read.quietHours(asking.scope), actor.atMs), by }),
    forever: () => ({ untilMs: null, by }),
    now: () => null,
  } satisfies Record<typeof until, () => RuleMute | null | Promise<RuleMute>>
  return alerts.write.muteRule(asking.scope.orgId, rule, await mutes[until](), actor)
}

function noAlerts() {
  return refuse('conflict', 'This process evaluates no alert rules.')
}
