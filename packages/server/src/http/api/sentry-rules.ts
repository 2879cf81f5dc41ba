/** Rules at the addresses and in the shapes that tools for Sentry know. */
import * as v from 'valibot'
import type { AlertRule } from '#model/alert-rule.ts'
import { concerns } from '#model/alert-rule.ts'
import { ISSUE_RULE_ANSWER, METRIC_RULE_ANSWER } from './answers/alert.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { requireProject } from './projects.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { ISSUE_RULE, issueRuleDraft, issueRuleShape } from './shape/issue-rule.ts'
import { METRIC_RULE, metricRuleDraft, metricRuleShape } from './shape/metric-rule.ts'

const ISSUE_RULES = '/projects/{org}/{project}/rules/'
const METRIC_RULES = '/organizations/{org}/alert-rules/'
/** Terraform knows metric rules below their project. */
const METRIC_RULES_OF_PROJECT = '/projects/{org}/{project}/alert-rules/'

export const SENTRY_RULE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: ISSUE_RULES,
    permission: 'alert.read',
    what: 'issue rules that look at the project, in Sentry’s words',
    query: PAGE,
    answer: v.array(ISSUE_RULE_ANSWER),
    async run(call) {
      const { id } = await requireProject(call)
      const views = await call.queries.alertRules(call.scope)
      const rules = views.flatMap(({ rule }) => (rule.kind === 'issue' && concerns(rule, id) ? [rule] : []))
      const { rows, page } = pageOf(rules, readPage(call.url))
      return answerOk(await Promise.all(rows.map((rule) => sentryRuleAnswer(call, rule))), page)
    },
  },
  {
    method: 'POST',
    pattern: ISSUE_RULES,
    permission: 'alert.write',
    what: 'creates an issue rule of the project',
    body: ISSUE_RULE,
    answer: ISSUE_RULE_ANSWER,
    async run(call) {
      const { id: project } = await requireProject(call)
      const draft = issueRuleDraft(readBody(ISSUE_RULE, await call.json()), project)
      const { id } = grantedOrThrow(await call.commands.run('createRule', call, draft))
      return answerCreated(await sentryRuleAnswer(call, await requireAlertRule(call, String(id))))
    },
  },
  ...oneRule(`${ISSUE_RULES}{rule}/`, 'issue'),
  ...metricRules(METRIC_RULES),
  ...metricRules(METRIC_RULES_OF_PROJECT),
]

function metricRules(pattern: string): readonly ApiRoute[] {
  const isOfProject = pattern === METRIC_RULES_OF_PROJECT
  const where = isOfProject ? ' of the project' : ''
  return [
    {
      method: 'GET',
      pattern,
      permission: 'alert.read',
      what: `metric rules${where && ' that look at the project'}, in Sentry’s words`,
      query: PAGE,
      answer: v.array(METRIC_RULE_ANSWER),
      async run(call) {
        const project = isOfProject ? await requireProject(call) : null
        const views = await call.queries.alertRules(call.scope)
        const rules = views.flatMap(({ rule }) =>
          rule.kind === 'metric' && (project === null || concerns(rule, project.id)) ? [rule] : [],
        )
        const { rows, page } = pageOf(rules, readPage(call.url))
        return answerOk(await Promise.all(rows.map((rule) => sentryRuleAnswer(call, rule))), page)
      },
    },
    {
      method: 'POST',
      pattern,
      permission: 'alert.write',
      what: `creates a metric rule${where}`,
      body: METRIC_RULE,
      answer: METRIC_RULE_ANSWER,
      async run(call) {
        const { id } = grantedOrThrow(
          await call.commands.run('createRule', call, await draftOf(call, 'metric')),
        )
        return answerCreated(await sentryRuleAnswer(call, await requireAlertRule(call, String(id))))
      },
    },
    ...oneRule(`${pattern}{metricRule}/`, 'metric'),
  ]
}

function oneRule(pattern: string, kind: AlertRule['kind']): readonly ApiRoute[] {
  const body = kind === 'issue' ? ISSUE_RULE : METRIC_RULE
  const answer = kind === 'issue' ? ISSUE_RULE_ANSWER : METRIC_RULE_ANSWER
  const find = async (call: OrgCall) => {
    const rule = await requireAlertRule(
      call,
      (kind === 'issue' ? call.params.rule : call.params.metricRule) ?? '',
    )
    return existing(
      rule.kind === kind && (call.params.project === undefined || (await concernsProject(call, rule)))
        ? rule
        : null,
    )
  }
  return [
    {
      ...{ method: 'GET', pattern, permission: 'alert.read', what: `one ${kind} rule`, answer },
      run: async (call: OrgCall) => answerOk(await sentryRuleAnswer(call, await find(call))),
    },
    {
      ...{
        method: 'PUT',
        pattern,
        permission: 'alert.write',
        what: `changes one ${kind} rule`,
        body,
        answer,
      },
      async run(call: OrgCall) {
        const { id } = await find(call)
        grantedOrThrow(
          await call.commands.run('changeRule', call, { rule: id, draft: await draftOf(call, kind) }),
        )
        return answerOk(await sentryRuleAnswer(call, await requireAlertRule(call, String(id))))
      },
    },
    {
      ...{ method: 'DELETE', pattern, permission: 'alert.write', what: `deletes one ${kind} rule` },
      async run(call: OrgCall) {
        grantedOrThrow(await call.commands.run('deleteRule', call, (await find(call)).id))
        // Sentry deletes rules of issues later, and Terraform takes no other word for it.
        return kind === 'issue' ? { status: 202 } : gone
      },
    },
  ]
}

async function concernsProject(call: OrgCall, rule: AlertRule): Promise<boolean> {
  return concerns(rule, (await requireProject(call)).id)
}

async function draftOf(call: OrgCall, kind: AlertRule['kind']): Promise<unknown> {
  if (kind === 'issue')
    return issueRuleDraft(readBody(ISSUE_RULE, await call.json()), (await requireProject(call)).id)
  const rule = readBody(METRIC_RULE, await call.json())
  const named = call.params.project === undefined ? rule.projects : [(await requireProject(call)).slug]
  if (named.length === 0) throw badField('projects', 'projects: at least one.')
  const known = await call.queries.projects(call.scope)
  const ids = named.map((slug) => {
    const found = known.find((project) => project.slug === slug)
    if (found === undefined) throw badField('projects', `There is no project "${slug.slice(0, 60)}".`)
    return found.id
  })
  return metricRuleDraft(rule, ids)
}

/** Returns the alert rule with an id; refuses one that the caller does not see. */
export async function requireAlertRule({ queries, scope }: OrgCall, ref: string): Promise<AlertRule> {
  return existing(/^\d{1,15}$/.test(ref) ? await queries.alertRule(scope, Number(ref)) : null).rule
}

async function sentryRuleAnswer({ queries, scope, clock }: OrgCall, rule: AlertRule) {
  const slugs = (await queries.projects(scope)).filter(({ id }) => concerns(rule, id)).map(({ slug }) => slug)
  return rule.kind === 'issue'
    ? issueRuleShape(rule, slugs, clock.now())
    : metricRuleShape(rule, slugs, clock.now())
}
