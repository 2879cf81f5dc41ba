/** Nothing disappears uncounted: what was sent, and what became of it. */

import { byWord } from '#base/by-word.ts'
import type { Clock } from '#base/clock.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { keyId, type ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { REASONS } from '#model/outcome.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type { OutcomeExample, OutcomeQuery, OutcomesRead } from '#ports/ingest.ts'
import type { BoundsMet, IssuesRead } from '#ports/issues.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { OutcomesView, TimeRange } from './types.ts'

export interface OutcomesParts {
  readonly outcomes: OutcomesRead
  readonly issues: Pick<IssuesRead, 'boundsMet'>
  readonly projects: Pick<ProjectsRead, 'projects' | 'project' | 'keys'>
  readonly clock: Clock
  readonly spikeState?: (project: ProjectId) => SpikeState | null
}

/** Bucket widths a person can name; the first that gives at most `BUCKETS_MAX` is taken. */
const WIDTHS_MS: readonly number[] = [15, 60, 180, 360, 1_440, 10_080].map((minutes) => minutes * MINUTE_MS)
const BUCKETS_MAX = 100
const BOUNDS_SHOWN = 10
const KEYS_LISTED_FOR_PROJECTS_MAX = 20

/** Sent is the sum of every outcome: what the SDK dropped itself (`client_discard`) was meant to be sent. */
export async function outcomesView(
  parts: OutcomesParts,
  scope: ReadScope,
  asked: { readonly range: TimeRange; readonly project: string | null; readonly key: number | null },
): Promise<OutcomesView> {
  const all = await parts.projects.projects(scope)
  const chosen = asked.project === null ? null : await parts.projects.project(scope, asked.project)
  const projects = asked.project === null ? null : chosen === null ? [] : [chosen.id]
  const intervalMs = bucketWidth(asked.range)
  const range = {
    startMs: Math.floor(asked.range.startMs / intervalMs) * intervalMs,
    endMs: Math.ceil(asked.range.endMs / intervalMs) * intervalMs,
  }
  const query: OutcomeQuery = {
    ...range,
    intervalMs,
    projects,
    keys: asked.key === null ? null : [keyId(asked.key)],
    groupBy: ['outcome', 'category'],
  }
  const shown = chosen === null ? all.slice(0, KEYS_LISTED_FOR_PROJECTS_MAX) : [chosen]
  const [{ buckets, groups }, examples, keys, met] = await Promise.all([
    parts.outcomes.outcomes(scope, query),
    parts.outcomes.outcomeExamples(scope, query),
    Promise.all(shown.map(({ id }) => parts.projects.keys(scope, id))),
    parts.issues.boundsMet(scope, { projects, key: null, limit: BOUNDS_SHOWN }),
  ])
  return {
    range,
    intervalMs,
    buckets,
    groups,
    reasons: reasonsOf(examples),
    projects: all,
    keys: keys.flat(),
    spikes: cappedNow(parts, asked.project === null ? all : chosen === null ? [] : [chosen]),
    bounds: boundsIn(met, all),
  }
}

function boundsIn({ bounds, total }: BoundsMet, projects: readonly Project[]): OutcomesView['bounds'] {
  const known = new Map(projects.map((project) => [project.id, project]))
  const shown = bounds.flatMap(({ projectId, key, otherCount }) => {
    const project = known.get(projectId)
    const limit = max(key === null ? 'facetKeysPerProjectMax' : 'facetValuesPerProjectMax')
    return project === undefined ? [] : [{ project, key, otherCount, limit }]
  })
  return { shown, more: total - shown.length }
}

function cappedNow({ spikeState }: OutcomesParts, projects: readonly Project[]): OutcomesView['spikes'] {
  return projects.flatMap((project) => {
    const state = project.options.spikeProtection ? (spikeState?.(project.id) ?? null) : null
    return state === null || state.capped === null ? [] : [{ project, state }]
  })
}

function bucketWidth({ startMs, endMs }: TimeRange): number {
  const span = Math.max(0, endMs - startMs)
  return WIDTHS_MS.find((width) => span / width <= BUCKETS_MAX) ?? 10_080 * MINUTE_MS
}

/** Describes what was not stored, largest first. */
export function reasonsOf(examples: readonly OutcomeExample[]): OutcomesView['reasons'] {
  return examples
    .filter(({ outcome }) => outcome !== 'accepted')
    .sort((a, b) => b.quantity - a.quantity || b.lastMs - a.lastMs)
    .map((example) => ({ ...example, ...outcomeWords(example) }))
}

function outcomeWords({ outcome, reason }: OutcomeExample): { readonly what: string; readonly next: string } {
  if (outcome === 'client_discard') return discardWords(reason)
  const known = reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  return known ?? { what: (reason ?? outcome).replaceAll('_', ' '), next: 'See the example' }
}

/** SDKs' reasons for dropped items (docs/wire.md, section "Client reports"). */
const DISCARDS: Readonly<Record<string, readonly [what: string, next: string]>> = byWord({
  queue_overflow: ['the SDK’s queue was full', 'Look for a burst of events in the app'],
  cache_overflow: ['the SDK’s offline cache was full', 'Look at the network of the clients'],
  buffer_overflow: ['the SDK’s buffer was full', 'Look for a burst of events in the app'],
  ratelimit_backoff: ['the SDK paused after a rate limit', 'Raise the limit'],
  network_error: ['the SDK could not reach Errata', 'Look at the network between the app and Errata'],
  send_error: ['Errata’s answer to the SDK was an error', 'See what was refused at the same time'],
  sample_rate: ['the SDK did not sample it', 'Raise the sample rate to keep more'],
  before_send: ['the app’s beforeSend dropped it', 'Look at beforeSend in the app'],
  event_processor: [
    'an event processor dropped it, such as the SDK’s own, which drops consecutive duplicates',
    'Nothing to do for duplicates. Otherwise look at the app’s event processors',
  ],
  internal_sdk_error: ['the SDK failed', 'Update the SDK'],
  insufficient_data: ['the SDK had too little to send', 'Nothing to do'],
  backpressure: ['the SDK sampled less because the app was under load', 'Nothing to do'],
  ignored: ['the app ignores it', 'Look at ignoreErrors in the app'],
  invalid: ['the SDK found it invalid', 'Update the SDK'],
  no_parent_span: ['a span without a parent was dropped', 'Nothing to do'],
})

function discardWords(reason: string | null): { readonly what: string; readonly next: string } {
  const words = reason !== null && Object.hasOwn(DISCARDS, reason) ? DISCARDS[reason] : undefined
  if (words !== undefined) return { what: words[0], next: words[1] }
  return {
    what: `dropped by the SDK: ${reason ?? 'no reason given'}`,
    next: 'Look at the SDK’s configuration',
  }
}
