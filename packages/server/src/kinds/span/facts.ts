/** Composes what the stores keep of one fragment: its columns, and what figures are made of. */
import { dayOf } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isActionId } from '#model/action-name.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import type { ScrubbedFragment } from '#model/span.ts'
import { tabReleaseOf } from '#model/tab-release.ts'
import { clockDrift } from '#normalize/time.ts'
import type { Sandbox, SegmentTold } from '#ports/requests.ts'
import { costsOf, type FragmentCost, repeatedIn } from '#requests/costs.ts'
import { type SegmentFacts, segmentFacts } from '#requests/segment-facts.ts'
import { segmentTold, toldOf } from '#requests/segment-hints.ts'
import { type StaleRequest, staleRequests } from '#requests/stale-requests.ts'
import { statedRouteOf } from '#requests/stated-routes.ts'
import { type FoundVital, vitalsOf } from '#requests/vitals.ts'
import { waitsOf } from '#requests/waits.ts'
import type { EnvelopeContext } from '../item.ts'
import { normalizeContext } from '../normalize-context.ts'
import { personKeys, userKey } from '../person-keys.ts'
import type { FragmentRow } from './fields.ts'

/** Data that the reader passes on beside a fragment's row. */
export interface FragmentOwn {
  readonly vitals: readonly FoundVital[]
  readonly costs: readonly FragmentCost[]
  /** False for what is in no figure. */
  readonly isTraffic: boolean
  readonly stale: readonly StaleRequest[]
  readonly sandbox: Sandbox | null
  readonly isClockCorrected: boolean
  /** Id of the action that a wrapper's row names. */
  readonly wraps: string | null
  readonly isOpen: boolean
  readonly isRevalidation: boolean
  /** Its route is stated, and may name others. */
  readonly stated: StatedRoute['of'] | null
  /** Value remembered in place of the route. */
  readonly statedAs: string | null
  /** Facts that spans without their segment tell about it. */
  readonly told: SegmentTold | null
  /** Segment that they tell about. */
  readonly toldOf: string | null
}

const OPS_MAX = max('segmentOpsMax')
const REPEATED_MAX = max('repeatedStatementsMax')
const TAGS_MAX = max('tagsMax')
const VALUE_CHARS_MAX = max('tagValueCharsMax')

/** Pure. Everything in the answer is bounded and comes from the scrubbed fragment alone. */
export function fragmentFacts(
  fragment: ScrubbedFragment,
  envelope: EnvelopeContext,
): { readonly row: FragmentRow; readonly own: FragmentOwn } {
  const said = segmentFacts(fragment)
  const route = shownFragmentRoute(said, envelope)
  const facts = { ...said, route, action: actionName(said.action, fragment, envelope) }
  const costs = costsOf(fragment)
  const vitals = vitalsOf(fragment)
  const row = fragmentRow(fragment, envelope, { facts, costs, vitals })
  const { isTraffic, sandbox, wraps, isOpen, isRevalidation } = facts
  const told = segmentTold(fragment)
  const isClockCorrected = clockDrift(normalizeContext(envelope)) !== 0
  const stale = staleRequests(fragment, said, tabReleaseOf(envelope.header.trace, fragment.release))
  const own = {
    vitals,
    costs,
    isTraffic,
    stale,
    sandbox,
    isClockCorrected,
    wraps,
    ...statedBy(said, route, fragment),
  }
  return { row, own: { ...own, isOpen, isRevalidation, told, toldOf: toldOf(fragment) } }
}

function statedBy(
  { kind, routeSource, functionId }: SegmentFacts,
  route: string | null,
  { sdk }: ScrubbedFragment,
): Pick<FragmentOwn, 'stated' | 'statedAs'> {
  if (route === null || routeSource !== 'stated') return { stated: null, statedAs: null }
  if (functionId !== null) return { stated: 'functions', statedAs: `${functionId} ${route}` }
  return { stated: statedRouteOf(route, kind, sdk), statedAs: null }
}

/**
 * Returns the route: an address belongs to a route that another request stated. The outside of a sandbox is
 * known by its address.
 */
function shownFragmentRoute(
  { route, routeSource, kind, sandbox }: SegmentFacts,
  { routes }: EnvelopeContext,
): string | null {
  if (route === null || routeSource !== 'address' || sandbox !== null || routes === undefined) return route
  return routes.nameOf(route, kind)
}

/** Returns the action's name in its build, if that was uploaded and there is only an id. */
function actionName(
  action: string | null,
  { release }: ScrubbedFragment,
  { maps }: EnvelopeContext,
): string | null {
  return action === null || !isActionId(action) ? action : (maps.actionName(action, release) ?? action)
}

interface Found {
  readonly facts: SegmentFacts
  readonly costs: readonly FragmentCost[]
  readonly vitals: readonly FoundVital[]
}

function fragmentRow(fragment: ScrubbedFragment, envelope: EnvelopeContext, found: Found): FragmentRow {
  const { facts, costs, vitals } = found
  const root = fragment.root === null ? undefined : fragment.spans[fragment.root]
  const first = root ?? fragment.spans[0]
  const user = userKey(fragment.user ?? undefined)
  const named = fragmentNames(fragment)
  const { kind: requestKind, route, method, action } = facts
  const { timestampMs, durationMs } = timesOf(fragment)
  const waits = waitsOf(fragment)
  // Field by field: an object that others are spread into takes ten times as long.
  return {
    seq: envelope.seq,
    projectId: envelope.projectId,
    receivedMs: envelope.receivedMs,
    day: dayOf(envelope.receivedMs),
    retentionDays: envelope.spans.retentionDays,
    eventId: fragment.id,
    traceId: fragment.traceId,
    segmentId: fragment.segmentId,
    parentSpanId: root?.parent_span_id ?? null,
    hasRoot: root !== undefined,
    name: fragment.segmentName ?? first?.name ?? '',
    op: first?.op ?? 'default',
    status: root?.status ?? 'ok',
    timestampMs,
    durationMs,
    spanCount: fragment.spans.length,
    requestKind,
    route,
    method,
    action,
    httpStatus: facts.httpStatus,
    end: facts.end,
    weight: 1 / fragment.sampleRate,
    lcp: vitalIn(vitals, 'lcp'),
    inp: vitalIn(vitals, 'inp'),
    cls: vitalIn(vitals, 'cls'),
    fcp: vitalIn(vitals, 'fcp'),
    ttfb: vitalIn(vitals, 'ttfb'),
    ops: [...new Set(fragment.spans.map(({ op }) => op))].slice(0, OPS_MAX),
    repeated: repeatedIn(costs).slice(0, REPEATED_MAX),
    platform: fragment.platform,
    environment: named.environment,
    release: named.release,
    dist: named.dist,
    browser: named.browser,
    os: named.os,
    runtime: named.runtime,
    device: named.device,
    serverName: named.serverName,
    user,
    people: personKeys(fragment.user ?? undefined),
    sdk: fragment.sdk,
    tags: fragmentTags(fragment, { ...named, requestKind, route, method, action, user }),
    isSampledOut: false,
    queriesMs: waits.queriesMs,
    callsMs: waits.callsMs,
    service: fragment.tags.find(([key]) => key === 'service.name')?.[1] ?? null,
  }
}

function timesOf({ spans, root }: ScrubbedFragment): Pick<FragmentRow, 'timestampMs' | 'durationMs'> {
  const own = root === null ? undefined : spans[root]
  const all = own === undefined ? spans : [own]
  const start = Math.min(...all.map(({ start_timestamp }) => start_timestamp))
  const end = Math.max(...all.map(({ end_timestamp }) => end_timestamp))
  return { timestampMs: Math.round(start * 1e6) / 1e3, durationMs: Math.round((end - start) * 1e6) / 1e3 }
}

function vitalIn(vitals: readonly FoundVital[], wanted: FoundVital['vital']): number | null {
  return vitals.find(({ vital }) => vital === wanted)?.value ?? null
}

function fragmentNames(fragment: ScrubbedFragment) {
  const { environment, release, dist, browser, os, runtime, device, serverName } = fragment
  return { environment, release, dist, browser, os, runtime, device, serverName }
}

type TagFields = ReturnType<typeof fragmentNames> &
  Pick<FragmentRow, 'requestKind' | 'route' | 'method' | 'action' | 'user'>

/** Derived tags win over own ones of the same key. */
function fragmentTags(fragment: ScrubbedFragment, fields: TagFields): FragmentRow['tags'] {
  const derived: readonly (readonly [string, string | null])[] = [
    ['environment', fields.environment],
    ['release', fields.release],
    ['dist', fields.dist],
    ['browser', fields.browser],
    ['os', fields.os],
    ['runtime', fields.runtime],
    ['device', fields.device],
    ['server_name', fields.serverName],
    ['request_kind', fields.requestKind],
    ['route', fields.route],
    ['http.method', fields.method],
    ['action', fields.action],
    ['user', fields.user],
  ]
  const tags = new Map<string, string>()
  for (const [key, value] of [...derived, ...fragment.tags]) {
    const plain =
      value
        ?.replace(/[\r\n\t\0]+/g, ' ')
        .trim()
        .slice(0, VALUE_CHARS_MAX) ?? ''
    if (plain !== '' && !tags.has(key) && tags.size < TAGS_MAX) tags.set(key, plain)
  }
  return [...tags].sort(([one], [other]) => (one < other ? -1 : 1))
}
