import { RULE_DRAFT, readInput } from '@errata/server/commands'
import { array, type InferOutput, object, optional, string } from 'valibot'
import {
  choiceField,
  idField,
  listedField,
  seenField,
  textField,
  tickField,
  withUnlisted,
} from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { hoursTyped, QUIET_FIELDS } from '#parts/quiet-hours.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound } from '#wire/loader.ts'
import type { OrgContext } from '#wire/types.ts'
import { previewDraft } from './alerts.server.ts'
import { draftOf, type RuleFields } from './rule-form.ts'
import { draftOfRule, seenQuietHours, seenRule } from './seen.server.ts'

const list = optional(array(string()), [])

/** The editor's fields, lists side by side. */
const FORM = object({
  kind: choiceField(['issue', 'metric']),
  name: textField,
  ...{
    projects: list,
    projectsListed: listedField,
    match: optional(string(), 'all'),
    whenMatch: optional(string(), 'any'),
    everyMinutes: textField,
  },
  ...{ isQuiet: tickField, isOn: tickField },
  ...{ whenOn: list, whenOf: list, whenCount: list, whenMinutes: list, whenTimes: list },
  ...{ ifIs: list, ifHow: list, ifKey: list, ifValue: list },
  ...{ notifyTo: list, notifyFrom: list },
  ...{ measure: textField, route: textField, requestKind: textField, thresholdMs: textField },
  ...{ windowMinutes: textField, direction: textField, critical: textField, warning: textField },
  ...{ resolved: textField, atLeast: textField, timesLastWeek: textField },
  seen: seenField,
})

function readForm(form: InferOutput<typeof FORM>): RuleFields {
  const { kind, name, projects, match, whenMatch, everyMinutes, isQuiet, isOn } = form
  const { measure, route, requestKind, thresholdMs, windowMinutes, direction } = form
  const { critical, warning, resolved, atLeast, timesLastWeek } = form
  const at = (values: readonly string[], index: number) => values[index] ?? ''
  return {
    ...{ kind, name, projects, match, whenMatch, everyMinutes, isQuiet, isOn },
    when: form.whenOn.map((on, index) => ({
      ...{ on, of: at(form.whenOf, index), count: at(form.whenCount, index) },
      ...{ minutes: at(form.whenMinutes, index), times: at(form.whenTimes, index) },
    })),
    conditions: form.ifIs.map((is, index) => ({
      ...{ is, how: at(form.ifHow, index), key: at(form.ifKey, index), value: at(form.ifValue, index) },
    })),
    receivers: form.notifyTo.map((to, index) => ({ to, from: at(form.notifyFrom, index) })),
    metric: {
      ...{ measure, route, requestKind, thresholdMs, windowMinutes, direction, critical, warning, resolved },
      ...{ atLeast, timesLastWeek },
    },
  }
}

export const saveRule = defineAction('alerts.save', 'alert.write', FORM, async (ctx, form) => {
  const draft = draftOf(await wholeForm(ctx, form))
  const rule = ctx.params.rule
  if (rule !== undefined) {
    const change = { rule: Number(rule), draft, seen: form.seen }
    const done = await ctx.engine.commands.run('changeRule', ctx, change)
    return done.ok ? { result: { seen: seenRule((await requireRule(ctx, change.rule)).rule) } } : done
  }
  const made = await ctx.engine.commands.run('createRule', ctx, draft)
  return made.ok ? { redirect: paths.alertRule(ctx.scope.orgSlug, made.value.id) } : made
})

/** Changes nothing: the figures of a rule that need not be saved. It is an action because a rule is too long for an address. */
export const previewRule = defineAction('alerts.preview', 'alert.write', FORM, async (ctx, form) => {
  // A preview needs no name yet.
  const named = { ...(await wholeForm(ctx, form)), name: form.name.trim() === '' ? 'New rule' : form.name }
  const draft = readInput(RULE_DRAFT, draftOf(named))
  const { rule } = ctx.params
  const ruleId = rule === undefined ? null : Number(rule)
  return draft.ok ? { result: await previewDraft(ctx, draft.value, ruleId) } : draft
})

/** With the projects of the rule that its form does not show. */
async function wholeForm(ctx: OrgContext, form: InferOutput<typeof FORM>): Promise<RuleFields> {
  const fields = readForm(form)
  const { projectsListed: listed } = form
  if (listed === undefined || ctx.params.rule === undefined) return fields
  const { rule } = await requireRule(ctx, Number(ctx.params.rule))
  const ticked = fields.projects.map(Number)
  return { ...fields, projects: withUnlisted(rule.projects ?? [], { ticked, listed }).map(String) }
}

async function requireRule({ engine, scope }: OrgContext, id: number) {
  return (await engine.queries.alertRule(scope, id)) ?? notFound()
}

export const switchRule = defineAction(
  'alerts.switch',
  'alert.write',
  object({ rule: idField, on: choiceField(['on', 'off']) }),
  async (ctx, { rule: id, on }) => {
    const seen = draftOfRule((await requireRule(ctx, id)).rule)
    const draft = { ...seen, isOn: on === 'on' }
    return ctx.engine.commands.run('changeRule', ctx, { rule: id, draft, seen: { ...seen } })
  },
)

export const muteRule = defineAction(
  'alerts.mute',
  'alert.write',
  object({ rule: idField, until: choiceField(['hour', 'monday', 'forever', 'now']) }),
  async (ctx, { rule, until }) => ctx.engine.commands.run('muteRule', ctx, { rule, mute: { until } }),
)

export const testRule = defineAction(
  'alerts.test',
  'alert.write',
  object({ rule: idField }),
  async (ctx, { rule }) => ctx.engine.commands.run('testRule', ctx, rule),
)

export const deleteRule = defineAction(
  'alerts.delete',
  'alert.write',
  object({ rule: idField }),
  async (ctx, { rule }) => {
    const done = await ctx.engine.commands.run('deleteRule', ctx, rule)
    return done.ok ? { redirect: paths.alerts(ctx.scope.orgSlug) } : done
  },
)

export const saveQuietHours = defineAction(
  'alerts.quiet',
  'alert.write',
  object({ ...QUIET_FIELDS, seen: seenField }),
  async (ctx, { seen, ...typed }) => {
    const { commands, queries } = ctx.engine
    const done = await commands.run('setQuietHours', ctx, { hours: hoursTyped(typed), seen })
    return done.ok ? { result: { seen: seenQuietHours(await queries.quietHours(ctx.scope)) } } : done
  },
)
