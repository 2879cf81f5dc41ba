/** Sums of outcomes in the shapes of Sentry's other two calls: a summary by project, and pairs of time and count. */
import { byWord } from '#base/by-word.ts'
import type { ProjectId } from '#base/ids.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { OutcomeGroup } from '#ports/ingest.ts'
import { PROJECT_STATS, STATS_SUMMARY } from './answers/release.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { chosenProjects, PROJECTS_PARAMETER, timeRange } from './params.ts'
import { requireProject } from './projects.ts'
import { choice, choices, listParameter, type Reading, words } from './query.ts'
import { badField } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'
import { API_NAMES, QUARTER_MS } from './stats.ts'

const HOUR_MS = 4 * QUARTER_MS
const DAY_MS = 24 * HOUR_MS
const FIELDS = ['sum(quantity)', 'sum(times_seen)'] as const
const FIELD = choices({ name: 'field', what: 'What to compute; default sum(quantity)', of: FIELDS })
const RANGE = timeRange('1d')
const FILTERS = (['outcome', 'category', 'reason'] as const).map((name) => ({
  ...listParameter(name, `Only this ${name}; several may be named`),
  name,
}))
const STAT = choice({
  name: 'stat',
  what: 'What is counted: all that came, what was refused, what was filtered, what was stored',
  of: ['received', 'rejected', 'blacklisted', 'generated'],
  fallback: 'received',
})
const RESOLUTION = choice({
  name: 'resolution',
  what: 'Width of a step; seconds are kept by the hour',
  of: ['1h', '1d', '10s'],
  fallback: '1h',
})
const SINCE = seconds('since', 'From when on, in seconds since 1970; a day ago where nothing is said')
const UNTIL = seconds('until', 'Until when, in seconds since 1970; now where nothing is said')
const STEPS_MAX = 24 * 90

export const OLDER_STATS_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/stats-summary/',
    permission: 'outcome.read',
    what: 'outcomes by project and category, without times',
    query: [FIELD, ...RANGE.parameters, PROJECTS_PARAMETER, ...FILTERS],
    answer: STATS_SUMMARY,
    run: summary,
  },
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/stats/',
    permission: 'outcome.read',
    what: 'errors of a project by time, as pairs of second and count',
    query: [STAT, RESOLUTION, SINCE, UNTIL],
    answer: PROJECT_STATS,
    run: projectStats,
  },
]

async function summary(call: OrgCall): Promise<ApiAnswer> {
  const { queries, scope, url, clock } = call
  const fields = FIELD.read(url)
  const range = RANGE.read(url, clock)
  const startMs = Math.floor(range.startMs / QUARTER_MS) * QUARTER_MS
  const endMs = Math.ceil(range.endMs / QUARTER_MS) * QUARTER_MS
  const { groups } = await queries.outcomeStats(scope, {
    ...{ startMs, endMs, intervalMs: null, projects: await chosenProjects(call), keys: null },
    groupBy: ['project', 'category', 'outcome', 'reason'],
  })
  const wanted = FILTERS.map((filter) => [filter.name, filter.read(url)] as const)
  const kept = groups.filter((group) =>
    wanted.every(([name, values]) => values.length === 0 || values.includes(groupText(group, name))),
  )
  const known = await queries.projects(scope)
  const byProject = Map.groupBy(kept, ({ projectId }) => projectId)
  const named = fields.length === 0 ? FIELDS.slice(0, 1) : fields
  return answerOk({
    ...{ start: isoTimeText(startMs), end: isoTimeText(endMs) },
    projects: known.flatMap(({ id, slug }) => {
      const own = byProject.get(id)
      return own === undefined ? [] : [{ id: String(id), slug, stats: statsOf(own, named) }]
    }),
  })
}

function groupText(group: OutcomeGroup, name: 'outcome' | 'category' | 'reason'): string {
  if (name === 'outcome') return groupOutcome(group)
  return group[name] ?? 'none'
}

function groupOutcome({ outcome }: OutcomeGroup): OutcomeName {
  return outcome === undefined ? 'invalid' : (API_NAMES[outcome] ?? outcome)
}

function statsOf(groups: readonly OutcomeGroup[], fields: readonly string[]) {
  return [...Map.groupBy(groups, ({ category }) => category ?? 'error')].map(([category, own]) => {
    const outcomes: Record<OutcomeName | string, number> = Object.fromEntries(
      SUMMED.map((outcome) => [outcome, 0]),
    )
    for (const group of own)
      outcomes[groupOutcome(group)] = group.total + (outcomes[groupOutcome(group)] ?? 0)
    const all = own.reduce((sum, { total }) => sum + total, 0)
    const dropped = all - (outcomes.accepted ?? 0)
    return {
      ...{ category, outcomes },
      totals: { dropped, ...Object.fromEntries(fields.map((field) => [field, all])) },
    }
  })
}

const SUMMED: readonly OutcomeName[] = [
  ...(['accepted', 'filtered', 'rate_limited', 'invalid', 'abuse', 'client_discard'] as const),
  'cardinality_limited',
]

const COUNTED: Readonly<Record<string, readonly OutcomeName[] | null>> = byWord({
  received: null,
  rejected: ['rate_limited', 'invalid', 'abuse', 'unsupported'],
  blacklisted: ['filtered'],
  generated: ['accepted'],
})

async function projectStats(call: OrgCall): Promise<ApiAnswer> {
  const { queries, scope, url, clock } = call
  const { id } = await requireProject(call)
  const stepMs = RESOLUTION.read(url) === '1d' ? DAY_MS : HOUR_MS
  const until = UNTIL.read(url) ?? clock.now()
  const since = SINCE.read(url) ?? until - DAY_MS
  if (since >= until) throw badField('since', 'It must come before `until`.')
  const startMs = Math.floor(since / stepMs) * stepMs
  const endMs = (Math.floor(until / stepMs) + 1) * stepMs
  if ((endMs - startMs) / stepMs > STEPS_MAX)
    throw badField('since', `At most ${STEPS_MAX} steps: ask for a shorter time, or for days.`)
  const { buckets, groups } = await queries.outcomeStats(scope, {
    ...{ startMs, endMs, intervalMs: stepMs, projects: [id satisfies ProjectId], keys: null },
    groupBy: ['category', 'outcome'],
  })
  const counted = COUNTED[STAT.read(url)] ?? null
  const own = groups.filter(
    ({ category, outcome }) =>
      category === 'error' && outcome !== undefined && (counted === null || counted.includes(outcome)),
  )
  return answerOk(
    buckets.map((atMs, index) => [
      Math.floor(atMs / 1_000),
      own.reduce((sum, { series }) => sum + (series[index] ?? 0), 0),
    ]),
  )
}

function seconds(name: string, what: string): Reading<number | null> {
  const read = words(name, what)
  return {
    ...{ name, what, schema: { type: 'number' } },
    read(url) {
      const text = read.read(url)
      if (text === '') return null
      if (!/^\d{1,11}(?:\.\d{1,9})?$/.test(text)) throw badField(name, 'Seconds since 1970.')
      return Number(text) * 1_000
    },
  }
}
