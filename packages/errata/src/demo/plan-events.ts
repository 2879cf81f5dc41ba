/** Turns each sample payload into many events: when they happen, to whom, in which release. */

interface DemoPayload {
  readonly project: string
  /** Events to make. */
  readonly count: number
  /** Part of the 14 days that passed before it began: 0 for all along, 0.9 for lately. */
  readonly since: number
  readonly event: Readonly<Record<string, unknown>>
}

export interface DemoEvent {
  readonly project: string
  readonly event: Readonly<Record<string, unknown>> & { readonly event_id: string }
  readonly atMs: number
}

const SPAN_MS = 14 * 86_400_000
const PEOPLE = 320
const BROWSERS = ['Chrome', 'Mobile Safari', 'Firefox', 'Edge'] as const
/** Release suffix by the part of the span from which on it runs. */
const RELEASES = [
  [0, '2026.11.9-1'],
  [0.25, '2026.11.12-1'],
  [0.62, '2026.11.18-1'],
  [0.9, '2026.11.20-2'],
] as const

/** Events of all payloads, oldest first. `random` answers numbers in [0, 1). */
export function planEvents(
  payloads: readonly DemoPayload[],
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): readonly DemoEvent[] {
  const events = payloads.flatMap((payload) =>
    Array.from({ length: payload.count }, () => oneEvent(payload, { nowMs, random })),
  )
  return events.sort((a, b) => a.atMs - b.atMs)
}

/** One envelope, as an SDK that kept the event while offline would send it. */
export function makeEnvelope({ event }: DemoEvent): string {
  const header = { event_id: event.event_id, sent_at: new Date().toISOString() }
  return `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}`
}

function oneEvent(
  payload: DemoPayload,
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): DemoEvent {
  const part = payload.since + (1 - payload.since) * random() ** 0.7
  const atMs = nowMs - SPAN_MS * (1 - part) - random() * 60_000
  const shiftSeconds = atMs / 1_000 - secondsOf(payload.event.timestamp)
  const person = Math.floor(random() ** 1.6 * PEOPLE)
  const release = releaseAt(payload.event.release, part)
  const event = {
    ...payload.event,
    event_id: hexId(random),
    timestamp: atMs / 1_000,
    user: { id: `u-${person}`, email: `person${person}@shop.example` },
    ...(release === null ? {} : { release }),
    ...(payload.event.platform === 'javascript'
      ? { tags: { ...tagsOf(payload.event), browser: BROWSERS[person % BROWSERS.length] } }
      : {}),
    breadcrumbs: shifted(payload.event.breadcrumbs, shiftSeconds),
  }
  return { project: payload.project, event, atMs }
}

function tagsOf(event: DemoPayload['event']): object {
  const tags = event.tags
  return typeof tags === 'object' && tags !== null ? tags : {}
}

function releaseAt(release: unknown, part: number): string | null {
  if (typeof release !== 'string') return null
  const suffix = RELEASES.findLast(([from]) => part >= from)?.[1] ?? RELEASES[0][1]
  return `${release.split('@')[0] ?? release}@${suffix}`
}

function hexId(random: () => number): string {
  return Array.from({ length: 8 }, () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0'),
  ).join('')
}

function secondsOf(timestamp: unknown): number {
  if (typeof timestamp === 'number') return timestamp
  return typeof timestamp === 'string' ? Date.parse(timestamp) / 1_000 : 0
}

/** Breadcrumbs keep their distance to the event; both shapes that SDKs send. */
function shifted(breadcrumbs: unknown, seconds: number): unknown {
  if (Array.isArray(breadcrumbs)) return breadcrumbs.map((crumb: unknown) => shiftedCrumb(crumb, seconds))
  if (typeof breadcrumbs !== 'object' || breadcrumbs === null || !('values' in breadcrumbs))
    return breadcrumbs
  return { values: shifted(breadcrumbs.values, seconds) }
}

function shiftedCrumb(crumb: unknown, seconds: number): unknown {
  if (typeof crumb !== 'object' || crumb === null || !('timestamp' in crumb)) return crumb
  return { ...crumb, timestamp: secondsOf(crumb.timestamp) + seconds }
}
