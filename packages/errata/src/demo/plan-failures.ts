/** Failures of the sample shop's own builds, at the places where the built files failed: see scripts/demo-builds. */
import builds from './builds.json' with { type: 'json' }
import {
  type DemoItem,
  type DemoPayload,
  eventOf,
  hexId,
  momentOf,
  RELEASES,
  releaseName,
  somebody,
} from './plan-events.ts'

export interface DemoMember {
  readonly name: string
  readonly email: string
}

interface Sample {
  /** Name in `failures` of builds.json. */
  readonly name: string
  /** Times it is tried; builds that do not fail leave it out. */
  readonly count: number
  readonly since: number
  /** Route of the page or server. */
  readonly route: string
}

export const FAILING_PROJECT = 'storefront'

const SAMPLES: readonly Sample[] = [
  { name: 'summary', count: 180, since: 0.9, route: '/checkout' },
  { name: 'delivery', count: 100, since: 0, route: '/orders/[id]' },
  { name: 'voucher', count: 80, since: 0, route: '/checkout' },
  { name: 'reviews', count: 34, since: 0, route: '/products/[slug]' },
  { name: 'payment', count: 90, since: 0.25, route: 'POST /api/orders' },
]

/** Part of the events that come from a tab that was opened with an older release, and from where it is tried out. */
const STALE = 0.07
const TRIED_OUT = 0.06

type Random = () => number

/** Plans failures, unordered. */
export function planFailures(planned: {
  readonly nowMs: number
  readonly random: Random
}): readonly DemoItem[] {
  return SAMPLES.flatMap((sample) =>
    Array.from({ length: sample.count }, () => failureAt(sample, planned)).filter((item) => item !== null),
  )
}

function failureAt(
  sample: Sample,
  { nowMs, random }: { readonly nowMs: number; readonly random: Random },
): DemoItem | null {
  const part = sample.since + (1 - sample.since) * random() ** 0.8
  const newest = RELEASES.findLastIndex(([from]) => part >= from)
  const index = random() < STALE ? Math.floor(random() * (newest + 1)) : newest
  const payload = payloadOf(sample, { index, environment: random() < TRIED_OUT ? 'staging' : 'production' })
  if (payload === null) return null
  return eventOf(payload, {
    ...{ atMs: momentOf(part, nowMs), random, person: somebody(random), release: releaseName(index) },
    trace: { trace_id: hexId(random, 32), span_id: hexId(random, 16) },
  })
}

/** `null` where the build does not fail there. */
function payloadOf(
  sample: Sample,
  { index, environment }: { readonly index: number; readonly environment: string },
): DemoPayload | null {
  const build = builds[index]
  const failure = build?.failures.find(({ name }) => name === sample.name)
  const file = build?.files.find(({ name }) => name === failure?.file)
  if (failure === undefined || file === undefined) return null
  const isServer = !file.address.startsWith('https:')
  const frames = failure.frames.map((frame) => ({ ...frame, filename: file.address, in_app: true }))
  const mechanism = { type: isServer ? 'generic' : 'onerror', handled: false }
  const { type, value } = failure
  return {
    ...{ project: FAILING_PROJECT, count: 1, since: 0 },
    event: {
      platform: isServer ? 'node' : 'javascript',
      ...{ environment, timestamp: 0, level: 'error', transaction: sample.route },
      exception: { values: [{ type, value, stacktrace: { frames }, mechanism }] },
      debug_meta: { images: [{ type: 'sourcemap', code_file: file.address, debug_id: file.debugId }] },
      sdk: { name: isServer ? 'sentry.javascript.node' : 'sentry.javascript.browser', version: '10.78.0' },
      ...(isServer ? { server_name: 'orders-1' } : { request: requestOf(sample.route) }),
    },
  }
}

const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

function requestOf(route: string) {
  const path = route.replace('[id]', '40121').replace('[slug]', 'oak-desk')
  return { url: `https://shop.example${path}`, headers: { 'User-Agent': USER_AGENT } }
}
