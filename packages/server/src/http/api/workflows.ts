/**
 * Rules of issues and metrics at the newer addresses of Sentry: workflows say whom to tell of what, detectors measure. A rule
 * of ours is one or the other, so that ids are the same at the older addresses. `sentry-rules.ts` has those.
 */

import * as v from 'valibot'
import { type AlertRule, concerns } from '#model/alert-rule.ts'
import type { Project } from '#ports/projects.ts'
import { DETECTOR_ANSWER, WORKFLOW_ANSWER } from './answers/alert.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall } from './call.ts'
import { PAGE, pageOf, readPage } from './pages.ts'
import { chosenProjects, NAMED_PARAMETER, PROJECTS_PARAMETER } from './params.ts'
import { requireProject } from './projects.ts'
import { listParameter, words } from './query.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'
import { requireAlertRule } from './sentry-rules.ts'
import {
  DETECTOR,
  type Detector,
  detectorShape,
  errorDetectorId,
  errorDetectorShape,
  metricRuleOf,
} from './shape/detector.ts'
import { issueRuleDraft } from './shape/issue-rule.ts'
import { metricRuleDraft } from './shape/metric-rule.ts'
import { issueRuleOf, WORKFLOW, type Workflow, workflowShape } from './shape/workflow.ts'

const WORKFLOWS = '/organizations/{org}/workflows/'
const ONE_WORKFLOW = `${WORKFLOWS}{rule}/`
const DETECTORS = '/organizations/{org}/detectors/'
const ONE_DETECTOR = `${DETECTORS}{metricRule}/`
const DETECTORS_OF_PROJECT = '/organizations/{org}/projects/{project}/detectors/'

const PROJECT_SLUG = listParameter('projectSlug', 'Slug of a project; several, or none for all')
const IDS = listParameter('id', 'Id of a rule; several, or none for all')
const SORT = words(
  'sortBy',
  'id, name, dateCreated or dateUpdated, with - before it for the greatest first',
  40,
)
const DETECTOR_QUERY = words(
  'query',
  'type:metric_issue or type:error, and a part of the name; empty for all',
  200,
)

type IssueRule = Extract<AlertRule, { readonly kind: 'issue' }>
type MetricRule = Extract<AlertRule, { readonly kind: 'metric' }>

export const WORKFLOW_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: WORKFLOWS,
    permission: 'alert.read',
    what: 'rules of issues, as workflows of Sentry',
    query: [NAMED_PARAMETER, PROJECTS_PARAMETER, PROJECT_SLUG, IDS, SORT, ...PAGE],
    answer: v.array(WORKFLOW_ANSWER),
    run: listWorkflows,
  },
  {
    method: 'POST',
    pattern: WORKFLOWS,
    permission: 'alert.write',
    what: 'creates a rule of issues from a workflow of Sentry',
    body: WORKFLOW,
    answer: WORKFLOW_ANSWER,
    async run(call) {
      const draft = await workflowDraft(call, readBody(WORKFLOW, await call.json()), null)
      const { id } = grantedOrThrow(await call.commands.run('createRule', call, draft))
      return answerCreated(await workflowOf(call, await issueRule(call, String(id))))
    },
  },
  {
    method: 'GET',
    pattern: ONE_WORKFLOW,
    permission: 'alert.read',
    what: 'one rule of issues, as a workflow of Sentry',
    answer: WORKFLOW_ANSWER,
    run: async (call) => answerOk(await workflowOf(call, await issueRule(call))),
  },
  {
    method: 'PUT',
    pattern: ONE_WORKFLOW,
    permission: 'alert.write',
    what: 'changes a rule of issues by a workflow of Sentry',
    body: WORKFLOW,
    answer: WORKFLOW_ANSWER,
    async run(call) {
      const rule = await issueRule(call)
      const draft = await workflowDraft(call, readBody(WORKFLOW, await call.json()), rule)
      grantedOrThrow(await call.commands.run('changeRule', call, { rule: rule.id, draft }))
      return answerOk(await workflowOf(call, await issueRule(call)))
    },
  },
  {
    method: 'DELETE',
    pattern: ONE_WORKFLOW,
    permission: 'alert.write',
    what: 'deletes a rule of issues',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteRule', call, (await issueRule(call)).id))
      return gone
    },
  },
  {
    method: 'GET',
    pattern: DETECTORS,
    permission: 'alert.read',
    what: 'metric rules, and what looks at the errors of each project, as detectors of Sentry',
    query: [DETECTOR_QUERY, PROJECTS_PARAMETER, PROJECT_SLUG, IDS, SORT, ...PAGE],
    answer: v.array(DETECTOR_ANSWER),
    run: listDetectors,
  },
  {
    method: 'POST',
    pattern: DETECTORS_OF_PROJECT,
    permission: 'alert.write',
    what: 'creates a metric rule of the project from a detector of Sentry',
    body: DETECTOR,
    answer: DETECTOR_ANSWER,
    async run(call) {
      const project = await requireProject(call)
      const detector = readBody(DETECTOR, await call.json())
      const draft = detectorDraft(detector, { projects: [project], rule: null })
      const { id } = grantedOrThrow(await call.commands.run('createRule', call, draft))
      return answerCreated(await detectorOf(call, await metricRule(call, String(id))))
    },
  },
  {
    method: 'GET',
    pattern: ONE_DETECTOR,
    permission: 'alert.read',
    what: 'one detector of Sentry: a metric rule, or what looks at the errors of a project',
    answer: DETECTOR_ANSWER,
    async run(call) {
      const known = await call.queries.projects(call.scope)
      const project = known.find(({ id }) => errorDetectorId(id) === call.params.metricRule)
      return answerOk(
        project === undefined
          ? await detectorOf(call, await metricRule(call))
          : errorDetectorShape(project, String(project.orgId)),
      )
    },
  },
  {
    method: 'PUT',
    pattern: ONE_DETECTOR,
    permission: 'alert.write',
    what: 'changes a metric rule by a detector of Sentry; thresholds that are left out stay',
    body: DETECTOR,
    answer: DETECTOR_ANSWER,
    async run(call) {
      const rule = await metricRule(call)
      const detector = readBody(DETECTOR, await call.json())
      const draft = detectorDraft(detector, { projects: await projectsOfRule(call, rule), rule })
      grantedOrThrow(await call.commands.run('changeRule', call, { rule: rule.id, draft }))
      return answerOk(await detectorOf(call, await metricRule(call)))
    },
  },
  {
    method: 'DELETE',
    pattern: ONE_DETECTOR,
    permission: 'alert.write',
    what: 'deletes a metric rule',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteRule', call, (await metricRule(call)).id))
      return gone
    },
  },
]

async function listWorkflows(call: OrgCall) {
  const rules = (await chosenRules(call, PROJECT_SLUG.read(call.url))).flatMap((rule) =>
    rule.kind === 'issue' && isRuleCalled(rule, NAMED_PARAMETER.read(call.url)) ? [rule] : [],
  )
  const { rows, page } = pageOf(sortRules(rules, call.url), readPage(call.url))
  return answerOk(await Promise.all(rows.map((rule) => workflowOf(call, rule))), page)
}

async function listDetectors(call: OrgCall) {
  const { url, queries, scope } = call
  const [, type, rest = ''] = /^\s*(?:type:(\S+))?(.*)$/s.exec(DETECTOR_QUERY.read(url)) ?? []
  if (type !== undefined && type !== 'metric_issue' && type !== 'error')
    throw badField('query', 'type: metric_issue or error; there are no others here.')
  const rules = (await chosenRules(call, PROJECT_SLUG.read(url))).flatMap((rule) =>
    rule.kind === 'metric' && type !== 'error' && isRuleCalled(rule, rest) ? [rule] : [],
  )
  const metrics = await Promise.all(sortRules(rules, url).map((rule) => detectorOf(call, rule)))
  const wanted = await wantedProjects(call, PROJECT_SLUG.read(url))
  const ids = IDS.read(url)
  const errors = (await queries.projects(scope))
    .filter(({ id }) => wanted === null || wanted.includes(id))
    .filter(({ id }) => ids.length === 0 || ids.includes(errorDetectorId(id)))
    .map((project) => errorDetectorShape(project, String(project.orgId)))
  const isOfErrors = type === 'error' || (type === undefined && rest.trim() === '')
  const { rows, page } = pageOf<object>([...metrics, ...(isOfErrors ? errors : [])], readPage(url))
  return answerOk(rows, page)
}

async function wantedProjects(call: OrgCall, slugs: readonly string[]) {
  if (slugs.length === 0) return chosenProjects(call)
  const { queries, scope } = call
  return Promise.all(slugs.map(async (slug) => existing(await queries.project(scope, slug)).id))
}

/** Returns the rules among the projects and ids asked for. */
async function chosenRules(call: OrgCall, slugs: readonly string[]): Promise<readonly AlertRule[]> {
  const wanted = await wantedProjects(call, slugs)
  const ids = IDS.read(call.url)
  return (await call.queries.alertRules(call.scope))
    .map(({ rule }) => rule)
    .filter((rule) => wanted === null || wanted.some((project) => concerns(rule, project)))
    .filter(({ id }) => ids.length === 0 || ids.includes(String(id)))
}

function isRuleCalled({ name }: AlertRule, part: string): boolean {
  const wanted = part
    .trim()
    .replace(/^name:/, '')
    .replaceAll('*', '')
    .toLowerCase()
  return name.toLowerCase().includes(wanted)
}

function sortRules<Rule extends AlertRule>(rules: readonly Rule[], url: URL): readonly Rule[] {
  const asked = SORT.read(url)
  const sign = asked.startsWith('-') ? -1 : 1
  const of = (rule: Rule) => {
    if (asked.endsWith('name')) return rule.name.toLowerCase()
    if (asked.endsWith('dateCreated')) return rule.createdMs
    return asked.endsWith('dateUpdated') ? rule.changedMs : rule.id
  }
  return rules.toSorted((a, b) => sign * (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0))
}

async function issueRule(call: OrgCall, ref = call.params.rule ?? ''): Promise<IssueRule> {
  const rule = await requireAlertRule(call, ref)
  return existing(rule.kind === 'issue' ? rule : null)
}

async function metricRule(call: OrgCall, ref = call.params.metricRule ?? ''): Promise<MetricRule> {
  const rule = await requireAlertRule(call, ref)
  return existing(rule.kind === 'metric' ? rule : null)
}

async function projectsOfRule({ queries, scope }: OrgCall, rule: AlertRule): Promise<readonly Project[]> {
  return (await queries.projects(scope)).filter(({ id }) => concerns(rule, id))
}

async function workflowOf(call: OrgCall, rule: IssueRule) {
  const ids = (await projectsOfRule(call, rule)).map(({ id }) => errorDetectorId(id))
  return workflowShape(rule, ids, call.clock.now())
}

async function detectorOf(call: OrgCall, rule: MetricRule) {
  return detectorShape(rule, await projectsOfRule(call, rule), call.clock.now())
}

/** Builds a draft; what the older shape cannot express stays as it was. */
async function workflowDraft(call: OrgCall, workflow: Workflow, rule: IssueRule | null) {
  const projects = await projectsOfDetectors(call, workflow, rule)
  const draft = issueRuleDraft(issueRuleOf(workflow), 0)
  return { ...draft, projects, ...(rule === null ? {} : { isQuiet: rule.isQuiet }) }
}

/** `null`: all of them, where a rule that looks at all still names all. */
async function projectsOfDetectors(call: OrgCall, { detectorIds }: Workflow, rule: IssueRule | null) {
  const known = await call.queries.projects(call.scope)
  if (detectorIds === null || detectorIds.length === 0) {
    if (rule === null)
      throw badField('detectorIds', 'detectorIds: at least one, of detectors/?query=type:error.')
    return rule.projects
  }
  const projects = detectorIds.map((detector) => {
    const project = known.find(({ id }) => errorDetectorId(id) === String(detector))
    if (project === undefined)
      throw badField('detectorIds', `"${String(detector).slice(0, 30)}" is no detector of errors.`)
    return project.id
  })
  const isOfAll = rule?.projects === null && known.every(({ id }) => projects.includes(id))
  return isOfAll ? null : projects
}

interface DetectorDraft {
  readonly projects: readonly Project[]
  readonly rule: MetricRule | null
}

function detectorDraft(detector: Detector, { projects, rule }: DetectorDraft) {
  const read = metricRuleOf(
    detector,
    projects.map(({ slug }) => slug),
    rule,
  )
  const ids = projects.map(({ id }) => id)
  const draft = { ...metricRuleDraft(read, ids), isOn: detector.enabled }
  if (rule === null) return draft
  const { atLeast, timesLastWeek } = rule.when
  const kept = { isQuiet: rule.isQuiet, everyMinutes: rule.everyMinutes, projects: rule.projects }
  const notify = draft.notify.length === 0 ? rule.notify : draft.notify
  return { ...draft, ...kept, notify, when: { ...draft.when, atLeast, timesLastWeek } }
}
