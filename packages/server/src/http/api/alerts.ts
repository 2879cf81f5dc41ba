/** Alert rules as Errata has them; `sentry-rules.ts` has the calls that tools know. */
import * as v from 'valibot'
import { MUTE, QUIET_HOURS as QUIET_HOURS_BODY, RULE_DRAFT } from '#commands/alert-schemas.ts'
import type { AlertRule, QuietHours } from '#model/alert-rule.ts'
import { ruleSentence } from '#model/alert-words.ts'
import type { AlertRuleView, Firing } from '#ports/alerts.ts'
import {
  FIRING,
  PAST_FIRING,
  PREVIEW,
  QUIET_HOURS_SCHEMA,
  RULE,
  RULES as RULE_LIST,
  TESTED,
} from './answers/alert.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall } from './call.ts'
import { picks } from './pick.ts'
import { words } from './query.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText, isoTimeTextOrNull } from './shape/times.ts'

type PreviewOfRule = Awaited<ReturnType<OrgCall['queries']['alertPreview']>>

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
      return answerOk(previewShape(await call.queries.alertPreview(call.scope, draft)))
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
    answer: v.array(FIRING),
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
    run: async ({ queries, scope }) => answerOk(quietHoursShape(await queries.quietHours(scope))),
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
      return answerOk(quietHoursShape(await call.queries.quietHours(call.scope)))
    },
  },
]

/** The rule of the address; 404 when it is absent or not the viewer's. */
async function requireRuleView({ queries, scope, params }: OrgCall): Promise<AlertRuleView> {
  const ref = params.rule ?? ''
  return existing(/^\d{1,15}$/.test(ref) ? await queries.alertRule(scope, Number(ref)) : null)
}

/** The rule with what the view has beside it. */
interface ShownRule extends Pick<AlertRuleView, 'state' | 'firedByDay' | 'firedLastMs'> {
  readonly rule: AlertRule
}

const shownRuleShape = picks(RULE).from<AlertRule & ShownRule>({
  when: momentsOrMeasure,
  owner: ({ owner }) => owner ?? null,
  sentence: ({ rule }) => ruleSentence(rule),
  created: ({ createdMs }) => isoTimeText(createdMs),
  changed: ({ changedMs }) => isoTimeText(changedMs),
  mute: ({ mute }) => (mute === null ? null : { until: isoTimeTextOrNull(mute.untilMs), by: mute.by }),
  state: ({ state }) =>
    state === null ? null : { level: state.level, since: isoTimeText(state.sinceMs), value: state.value },
  lastFired: ({ firedLastMs }) => isoTimeTextOrNull(firedLastMs),
})

/** Moments of an issue, or what a metric is measured by, with all that these say. */
function momentsOrMeasure(rule: AlertRule) {
  if (rule.kind === 'issue') return rule.when.map((one) => ({ ...one }))
  return { ...rule.when, measure: { ...rule.when.measure } }
}

function viewShape(view: AlertRuleView) {
  return shownRuleShape({ ...view.rule, ...view })
}

const firingShape = picks(FIRING).from<Firing>({
  project: ({ projectId }) => projectId,
  started: ({ startedMs }) => isoTimeText(startedMs),
  ended: ({ endedMs }) => isoTimeTextOrNull(endedMs),
})

const previewShape = picks(PREVIEW).from<PreviewOfRule>({
  start: ({ startMs }) => isoTimeText(startMs),
  end: ({ endMs }) => isoTimeText(endMs),
  firings: ({ firings, issues }) => firings.map((firing) => pastFiringShape(firing, issues)),
})

const pastFiringShape = picks(PAST_FIRING).from<PreviewOfRule['firings'][number], PreviewOfRule['issues']>({
  started: ({ startedMs }) => isoTimeText(startedMs),
  ended: ({ endedMs }) => isoTimeTextOrNull(endedMs),
  issue: ({ issueId }, issues) => (issueId === null ? null : (issues[issueId]?.shortId ?? null)),
})

const quietHoursShape = picks(QUIET_HOURS_SCHEMA).from<QuietHours>({})
