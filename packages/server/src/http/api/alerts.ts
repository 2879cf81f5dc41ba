/** Alert rules as Errata has them; `sentry-rules.ts` has the calls that tools know. */
import { MUTE, QUIET_HOURS as QUIET_HOURS_BODY, RULE_DRAFT } from '#commands/alert-schemas.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import { ruleSentence } from '#model/alert-words.ts'
import type { AlertRuleView, Firing } from '#ports/alerts.ts'
import { FIRINGS, PREVIEW, QUIET_HOURS_SCHEMA, RULE, RULES as RULE_LIST, TESTED } from './answers/alert.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall } from './call.ts'
import { words } from './query.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const RULES = '/organizations/{org}/alerts/rules/'
const ONE_RULE = `${RULES}{rule}/`
const BEFORE = words('before', 'Id of a firing: those before it')

export const ALERT_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: RULES,
    permission: 'alert.read',
    what: 'alert rules with their states and how often they fired',
    answer: RULE_LIST,
    run: async ({ queries, scope }) => answerOk((await queries.alertRules(scope)).map(viewShape)),
  },
  {
    method: 'POST',
    pattern: RULES,
    permission: 'alert.write',
    what: 'creates an alert rule',
    body: RULE_DRAFT,
    answer: RULE,
    async run(call) {
      const { id } = grantedOrThrow(await call.commands.run('createRule', call, await call.json()))
      return answerCreated(viewShape(existing(await call.queries.alertRule(call.scope, id))))
    },
  },
  {
    method: 'POST',
    pattern: '/organizations/{org}/alerts/preview/',
    permission: 'alert.write',
    what: 'what a rule, which need not be saved, would have done in the last 14 days',
    body: RULE_DRAFT,
    answer: PREVIEW,
    async run(call) {
      const draft = readBody(RULE_DRAFT, await call.json())
      const { startMs, endMs, firings, issues, ...preview } = await call.queries.alertPreview(
        call.scope,
        draft,
      )
      return answerOk({
        ...{ start: isoTimeText(startMs), end: isoTimeText(endMs), ...preview },
        firings: firings.map(({ startedMs, endedMs, issueId, ...firing }) => ({
          ...{
            started: isoTimeText(startedMs),
            ended: endedMs === null ? null : isoTimeText(endedMs),
            ...firing,
          },
          issue: issueId === null ? null : (issues[issueId]?.shortId ?? null),
        })),
      })
    },
  },
  {
    method: 'GET',
    pattern: ONE_RULE,
    permission: 'alert.read',
    what: 'one alert rule',
    answer: RULE,
    run: async (call) => answerOk(viewShape(await requireRuleView(call))),
  },
  {
    method: 'PUT',
    pattern: ONE_RULE,
    permission: 'alert.write',
    what: 'changes an alert rule',
    body: RULE_DRAFT,
    answer: RULE,
    async run(call) {
      const { id } = (await requireRuleView(call)).rule
      grantedOrThrow(await call.commands.run('changeRule', call, { rule: id, draft: await call.json() }))
      return answerOk(viewShape(await requireRuleView(call)))
    },
  },
  {
    method: 'DELETE',
    pattern: ONE_RULE,
    permission: 'alert.write',
    what: 'deletes an alert rule with its history',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteRule', call, (await requireRuleView(call)).rule.id))
      return gone
    },
  },
  {
    method: 'PUT',
    pattern: `${ONE_RULE}mute/`,
    permission: 'alert.write',
    what: 'mutes a rule for an hour, until Monday or forever, or unmutes it',
    body: MUTE,
    answer: RULE,
    async run(call) {
      const { id } = (await requireRuleView(call)).rule
      grantedOrThrow(await call.commands.run('muteRule', call, { rule: id, mute: await call.json() }))
      return answerOk(viewShape(await requireRuleView(call)))
    },
  },
  {
    method: 'POST',
    pattern: `${ONE_RULE}test/`,
    permission: 'alert.write',
    what: 'sends a test to every receiver of a rule',
    answer: TESTED,
    run: async (call) =>
      answerOk(
        grantedOrThrow(await call.commands.run('testRule', call, (await requireRuleView(call)).rule.id)),
      ),
  },
  {
    method: 'GET',
    pattern: `${ONE_RULE}firings/`,
    permission: 'alert.read',
    what: 'when a rule fired, newest first; `before` goes on',
    query: [BEFORE],
    answer: FIRINGS,
    async run(call) {
      const { rule } = await requireRuleView(call)
      const before = BEFORE.read(call.url)
      if (!/^\d{0,15}$/.test(before)) throw badField('before', 'The id of a firing.')
      const asked = { ruleId: rule.id, before: before === '' ? null : Number(before) }
      return answerOk((await call.queries.alertFirings(call.scope, asked)).map(firingShape))
    },
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/alerts/quiet-hours/',
    permission: 'alert.read',
    what: 'the quiet hours of alerts',
    answer: QUIET_HOURS_SCHEMA,
    run: async ({ queries, scope }) => answerOk(await queries.quietHours(scope)),
  },
  {
    method: 'PUT',
    pattern: '/organizations/{org}/alerts/quiet-hours/',
    permission: 'alert.write',
    what: 'changes the quiet hours of alerts',
    body: QUIET_HOURS_BODY,
    answer: QUIET_HOURS_SCHEMA,
    async run(call) {
      grantedOrThrow(await call.commands.run('setQuietHours', call, { hours: await call.json() }))
      return answerOk(await call.queries.quietHours(call.scope))
    },
  },
]

/** The rule of the address; 404 when it is absent or not the viewer's. */
async function requireRuleView({ queries, scope, params }: OrgCall): Promise<AlertRuleView> {
  const ref = params.rule ?? ''
  return existing(/^\d{1,15}$/.test(ref) ? await queries.alertRule(scope, Number(ref)) : null)
}

function viewShape({ rule, state, firedByDay, firedLastMs }: AlertRuleView) {
  return {
    ...ruleShape(rule),
    state:
      state === null ? null : { level: state.level, since: isoTimeText(state.sinceMs), value: state.value },
    firedByDay,
    lastFired: firedLastMs === null ? null : isoTimeText(firedLastMs),
  }
}

function ruleShape(rule: AlertRule) {
  const { orgId: _, createdMs, changedMs, createdById: __, mute, ...shown } = rule
  return {
    ...{ ...shown, owner: shown.owner ?? null },
    sentence: ruleSentence(rule),
    created: isoTimeText(createdMs),
    changed: isoTimeText(changedMs),
    mute:
      mute === null ? null : { until: mute.untilMs === null ? null : isoTimeText(mute.untilMs), by: mute.by },
  }
}

function firingShape({ startedMs, endedMs, projectId, ...firing }: Firing) {
  return {
    ...firing,
    project: projectId,
    started: isoTimeText(startedMs),
    ended: endedMs === null ? null : isoTimeText(endedMs),
  }
}
