/**
 * Tabs of older builds after each of the sample's deploys: what they asked for in vain. Browsers send an error, and of an
 * action the server its request; what the browser tells again of the same click is one click.
 */

import {
  type DemoItem,
  eventOf,
  hexId,
  momentOf,
  type Planned,
  RELEASES,
  releaseName,
} from './plan-events.ts'
import { FAILING_PROJECT } from './plan-failures.ts'
import { DEPLOYS } from './release-story.ts'
import { SegmentDraft } from './trace-draft.ts'

interface StaleSample {
  /** Place of the deployed release. */
  readonly release: number
  readonly halfLifeHours: number
  /** Part of the clicks in tabs of the release before; the rest is of the one before that. */
  readonly newerTabs: number
  readonly actions: number
  readonly chunks: number
  readonly stylesheets: number
}

/** The newest deploy rotated the key of actions and mirrored its assets; those before it lost assets alone. */
export const STALE: readonly StaleSample[] = [
  { release: 1, halfLifeHours: 4.2, newerTabs: 1, actions: 0, chunks: 45, stylesheets: 11 },
  { release: 2, halfLifeHours: 4.3, newerTabs: 0.9, actions: 0, chunks: 62, stylesheets: 14 },
  { release: 3, halfLifeHours: 5.6, newerTabs: 0.78, actions: 300, chunks: 98, stylesheets: 19 },
]

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Nothing stale is among the newest events: the list begins with failures that are mirrored. */
const QUIET_MS = 40 * MINUTE_MS
const PEOPLE = 2_400
/** Before its first event a release is told of. */
const AHEAD_MS = 10 * MINUTE_MS
/** Time between the server's answer and the browser's error. */
const UNTIL_THROWN_MS = 60

type Failure = 'action' | 'chunk' | 'stylesheet'

/** Plans stale clicks, unordered. */
export function planSkew(planned: Planned): readonly DemoItem[] {
  return STALE.flatMap((sample) => {
    const failures: readonly Failure[] = [
      ...Array.from({ length: sample.actions }, () => 'action' as const),
      ...Array.from({ length: sample.chunks }, () => 'chunk' as const),
      ...Array.from({ length: sample.stylesheets }, () => 'stylesheet' as const),
    ]
    return failures.flatMap((failure) => clickOf(failure, sample, planned))
  })
}

const VIEWS = 250
const VIEW_MS = 240

/** Page views in tabs that stay open after the newest deploy; those in which nothing fails stay longer. */
export function planOldTabs({ nowMs, random }: Planned): readonly DemoItem[] {
  const newest = STALE.at(-1)
  if (newest === undefined) return []
  const sample = { ...newest, halfLifeHours: newest.halfLifeHours * 1.4 }
  return Array.from({ length: VIEWS }, () => {
    const from = newest.release - (random() < newest.newerTabs ? 1 : 2)
    const release = releaseName(Math.max(0, from))
    const userId = `u-${Math.floor(random() * PEOPLE)}`
    const runner = { project: FAILING_PROJECT, half: 'browser', release, userId } as const
    const startMs = momentAfter(sample, { nowMs, random })
    return new SegmentDraft({ traceId: hexId(random, 32), random }, runner, {
      ...{
        name: '/cart',
        op: 'navigation',
        startMs,
        ms: VIEW_MS * (0.5 + 1.6 * random() ** 2),
        parent: null,
      },
    }).item()
  })
}

function clickOf(failure: Failure, sample: StaleSample, { nowMs, random }: Planned): readonly DemoItem[] {
  const from = sample.release - (random() < sample.newerTabs ? 1 : 2)
  const click = {
    ...{
      failure,
      random,
      atMs: momentAfter(sample, { nowMs, random }),
      person: Math.floor(random() * PEOPLE),
    },
    ...{ traceId: hexId(random, 32), spanId: hexId(random, 16), fromRelease: releaseName(Math.max(0, from)) },
  }
  const browser = errorOf(click)
  return failure === 'action' ? [requestOf(click, releaseName(sample.release)), browser] : [browser]
}

/** Half of them within a half-life, half of the rest within the next. */
function momentAfter({ release, halfLifeHours }: StaleSample, { nowMs, random }: Planned): number {
  const production = DEPLOYS.find(({ environment }) => environment === 'production')
  const afterMs = (production?.afterMinutes ?? 0) * MINUTE_MS - AHEAD_MS
  const startMs = momentOf(RELEASES[release]?.[0] ?? 0, nowMs) + afterMs
  const untilMs = Math.min(nowMs - QUIET_MS, momentOf(RELEASES[release + 1]?.[0] ?? 1, nowMs) - HOUR_MS)
  const gone = 1 - 2 ** -((untilMs - startMs) / (halfLifeHours * HOUR_MS))
  return Math.floor(startMs - Math.log2(1 - random() * gone) * halfLifeHours * HOUR_MS)
}

interface Click {
  readonly failure: Failure
  readonly atMs: number
  readonly person: number
  readonly traceId: string
  readonly spanId: string
  readonly fromRelease: string
  readonly random: () => number
}

const ORIGIN = 'https://shop.example'
const ROUTES: Readonly<Record<Failure, string>> = {
  action: '/cart',
  chunk: '/checkout',
  stylesheet: '/checkout',
}

/** Builds the exception in the framework's and bundler's words. */
function exceptionOf({ failure, fromRelease }: Click) {
  const build = Buffer.from(fromRelease).toString('hex')
  if (failure === 'action') {
    const id = `40${build}`.padEnd(42, '5').slice(0, 42)
    const type = 'UnrecognizedActionError'
    return { type, value: `Server Action "${id}" was not found on the server. ` }
  }
  const file = `/_next/static/chunks/${failure === 'chunk' ? 'checkout-summary' : 'checkout'}-${build.slice(-8)}`
  const path = `${file}.${failure === 'chunk' ? 'js' : 'css'}`
  return { type: 'ChunkLoadError', value: `Failed to load chunk ${path} from module 4711` }
}

function errorOf(click: Click): DemoItem {
  const route = ROUTES[click.failure]
  const mechanism = { type: 'auto.browser.global_handlers.onunhandledrejection', handled: false }
  const event = {
    ...{
      platform: 'javascript',
      environment: 'production',
      timestamp: 0,
      level: 'error',
      transaction: route,
    },
    exception: { values: [{ ...exceptionOf(click), mechanism }] },
    request: { url: `${ORIGIN}${route}` },
    sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
  }
  return eventOf(
    { project: FAILING_PROJECT, count: 1, since: 0, event },
    {
      ...{ atMs: click.atMs + UNTIL_THROWN_MS, random: click.random, person: click.person },
      ...{ release: click.fromRelease, trace: { trace_id: click.traceId, span_id: click.spanId } },
    },
  )
}

const ANSWER_MS = 12

function requestOf(click: Click, release: string): DemoItem {
  const id = /"(\w+)"/.exec(exceptionOf(click).value)?.[1] ?? ''
  const runner = { project: FAILING_PROJECT, half: 'server', release, userId: `u-${click.person}` } as const
  return new SegmentDraft({ traceId: click.traceId, random: click.random }, runner, {
    ...{
      name: 'POST /cart',
      op: 'http.server',
      startMs: click.atMs,
      ms: ANSWER_MS * (0.6 + 2 * click.random() ** 2),
      parent: click.spanId,
    },
    isFailed: true,
    attributes: {
      ...{ 'http.request.method': 'POST', 'http.response.status_code': 404, 'http.route': '/cart' },
      ...{ 'url.path': '/cart', 'sentry.kind': 'server', 'http.request.header.next-action': id },
    },
  }).item()
}
