/** Addresses of the walks, and everything that a walk must leave as it is. */
import assert from 'node:assert/strict'
import { PERSON } from './action-inputs.ts'
import type { Person } from './person.ts'
import type { Things, TwoOrganisations } from './two-organisations.ts'

const QUERIES: Readonly<Record<string, string>> = {
  '/projects/{org}/{project}/person-data/': '?person=1',
  '/organizations/{org}/person-data/': '?person=1',
  '/:org/performance/:project/route': '?route=%2F',
  '/organizations/{org}/events/': '?dataset=spans&field=trace',
}

/** Both ways of naming parameters, `:org` and `{org}`. */
export function fill(pattern: string, things: Things): string {
  const { org, project, key, event, digest, team } = things
  // Where no organisation is named, a short id may be of another one.
  const issue = pattern.startsWith('/issues/') ? things.issueId : things.issue
  const values: Readonly<Record<string, string>> = {
    org,
    format: 'csv',
    project,
    key: pattern.includes('/tags/') ? 'environment' : key,
    issue,
    id: pattern.startsWith('/:org/people/') ? PERSON : issue,
    event,
    eventId: event,
    short: issue,
    number: digest,
    comment: '999999999',
    team,
    member: String(things.userId),
    code: 'no-such-code',
    seq: '1',
    version: things.release,
    file: things.releaseFile,
    search: things.search,
    token: 'no-such-link',
    rule: things.rule,
    metricRule: things.metricRule,
    channel: things.channel,
    tracker: things.tracker,
    link: '999999',
    attachment: things.attachment,
    message: things.message,
    environment: 'production',
    trace: things.trace,
    span: digest.padStart(16, 'b'),
    deploy: things.deploy,
    kind: 'oidc',
    filter: 'localhost',
    // Of addresses as Sentry spells them.
    ...{
      area: 'backend',
      part: 'pageloads',
      list: 'traces',
      orgslug: ':orgslug',
      place: 'projects',
      platform: 'node',
    },
  }
  if (pattern === '*') return '/no/such/page'
  const query = QUERIES[pattern] ?? ''
  const path = pattern.replace(/:(\w+)|\{(\w+)\}/g, (_, colon?: string, brace?: string) => {
    const name = colon ?? brace ?? ''
    const value = values[name]
    assert.ok(value !== undefined, `the walk knows no value for ${name} in ${pattern}`)
    return encodeURIComponent(value)
  })
  // A span is named beside its trace.
  if (pattern.endsWith('/trace-items/{span}/')) return `${path}?trace_id=${things.trace}`
  return `${path}${query}`
}

const STATE_PAGES = [
  '/:org/issues?project=:project',
  '/:org/issues/:id',
  '/:org/issues/:id/activity',
  '/:org/projects',
  '/:org/projects/:project/settings',
  '/:org/projects/:project/settings/keys',
  '/:org/projects/:project/settings/scrubbing',
  '/:org/projects/:project/settings/filters',
  '/:org/projects/:project/settings/retention',
  '/:org/projects/:project/settings/environments',
  '/:org/projects/:project/settings/ownership',
  '/:org/settings',
  '/:org/settings/members',
  '/:org/settings/teams',
  '/:org/settings/tokens',
  '/:org/alerts',
  '/:org/alerts/quiet-hours',
] as const

/** Everything of the shop that somebody could change, as its owner sees it. */
export async function stateOf({ seats, shop }: TwoOrganisations): Promise<readonly unknown[]> {
  const owner: Person = seats.owner
  const states: unknown[] = []
  for (const pattern of STATE_PAGES) {
    const answer = await owner.pageData(fill(pattern, shop))
    assert.equal(answer.status, 200, pattern)
    states.push(JSON.parse(await answer.text(), settled))
  }
  return states
}

/**
 * Names that move by themselves: clocks, notes of use, tests of rules in the log of alerts, and Errata's own
 * reports of the self-test.
 */
const VOLATILE =
  /^(?:nowMs|startMs|endMs|elapsedMs|usedMs|firstEventMs|environments|trend|position|previous|total|errors|new|unresolved|lastEventMs|messages|delivered|failed)$/

/**
 * Leaves out what moves by itself: a metric rule's measure, state and counts, a project's spike protection,
 * which is read anew now and then, and everything about Errata's own project.
 */
function settled(this: unknown, key: string, value: unknown): unknown {
  const beside = (name: string) => typeof this === 'object' && this !== null && name in this
  const isMeasured =
    (/^(?:value|few|state)$/.test(key) && beside('sentence')) ||
    (/^(?:few|quiet|warning|critical)$/.test(key) && beside('warning')) ||
    (key === 'state' && beside('startsMs'))
  // Its first event makes it one that is OK, and what it sends then may move it up the list.
  const isSummary = key === 'summary' && beside('projects')
  if (key === 'projects' && Array.isArray(value)) return value.filter((project) => !isOwn(project))
  return isMeasured || isSummary || isOwn(value) || VOLATILE.test(key) ? null : value
}

function isOwn(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'isSelf' in value && value.isSelf === true
}
