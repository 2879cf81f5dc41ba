/**
 * Items of one person, newest first: errors, requests, and what their breadcrumbs tell of clicks and pages.
 */
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { Breadcrumb, RequestKind } from '#model/event.ts'
import type { ReadScope } from '#ports/scope.ts'
import { readStoredEvent } from '../events/stored-event.ts'
import type { PersonItem, PersonView } from '../people-types.ts'
import { type PeopleParts, peopleFiles } from './people-parts.ts'

interface Whose {
  readonly key: string
  readonly beforeMs: number | null
  readonly isErrorsOnly: boolean
}

type Items = Pick<PersonView, 'items' | 'nextBeforeMs' | 'crumbs'>

export async function readPersonItems(parts: PeopleParts, scope: ReadScope, of: Whose): Promise<Items> {
  const limit = max('personItemsMax')
  const [events, segments] = await Promise.all([
    readPersonEvents(parts, scope, of),
    of.isErrorsOnly ? [] : readPersonSegments(parts, scope, of),
  ])
  // Where one of the two goes on, nothing older than its last is told of the other.
  const ends = [events, segments].flatMap((rows) =>
    rows.length < limit ? [] : [rows.at(-1)?.timestampMs ?? 0],
  )
  const fromMs = ends.length === 0 ? null : Math.max(...ends)
  const within = <R extends { readonly timestampMs: number }>(rows: readonly R[]) =>
    fromMs === null ? rows : rows.filter(({ timestampMs }) => timestampMs >= fromMs)
  const shown = within(events)
  const errors = await Promise.all(
    shown.map(async (row) => ({ row, item: await errorItem(parts, scope, row) })),
  )
  const told = of.isErrorsOnly ? [] : errors.slice(0, max('personCrumbEventsMax'))
  const crumbs = await crumbsOf(parts, told, { fromMs, beforeMs: of.beforeMs })
  const items = [...errors.map(({ item }) => item), ...within(segments).map(segmentItem), ...crumbs]
  return {
    items: items.sort((one, other) => other.atMs - one.atMs),
    nextBeforeMs: fromMs,
    crumbs: { errors: errors.length, read: told.length },
  }
}

async function readPersonEvents(
  parts: PeopleParts,
  scope: ReadScope,
  { key, beforeMs }: Pick<Whose, 'key' | 'beforeMs'>,
): Promise<readonly EventRow[]> {
  const files = (await peopleFiles(parts)).filter(({ kind }) => kind === ERROR)
  const people = [{ names: [key], negated: false }]
  const until = beforeMs === null ? {} : { endMs: beforeMs }
  const page = { limit: max('personItemsMax'), cursor: null }
  const { rows } = await parts.telemetry.events(scope, { groups: null, people, files, ...until }, page)
  // A star in a name stands for any text in the columns, and for itself here.
  return rows.filter((row) => row.people.includes(key))
}

async function readPersonSegments(
  parts: PeopleParts,
  scope: ReadScope,
  { key, beforeMs }: Pick<Whose, 'key' | 'beforeMs'>,
): Promise<readonly FragmentRow[]> {
  const files = (await peopleFiles(parts)).filter(({ kind }) => kind === SPAN)
  const times = { startMs: 0, endMs: beforeMs ?? Number.MAX_SAFE_INTEGER }
  const filter = { ...times, files, projects: null, people: [{ names: [key], negated: false }] }
  const page = { sort: 'newest' as const, limit: max('personItemsMax'), cursor: null }
  const { rows } = await parts.telemetry.segments(scope, filter, page)
  return rows.filter((row) => row.people.includes(key))
}

async function errorItem(
  { issues }: PeopleParts,
  scope: ReadScope,
  { projectId, groupHash, eventId, ...row }: EventRow,
): Promise<PersonItem> {
  const issue = await issues.issueOfGroup(scope, projectId, groupHash)
  return {
    ...{ kind: 'error', atMs: row.timestampMs, durationMs: null, projectId, text: row.title },
    ...{ release: row.release, device: deviceText(row), level: row.level, end: null },
    requestKind: row.requestKind,
    issue: issue === null ? null : { shortId: issue.shortId, eventId },
    trace: row.traceId === null ? null : { traceId: row.traceId, spanId: row.spanId },
  }
}

function segmentItem(row: FragmentRow): PersonItem {
  const { requestKind, action, route, name, op, method } = row
  const said = action ?? route ?? (name === '' ? op : name)
  return {
    ...{ kind: itemKind(row), atMs: row.timestampMs, durationMs: row.durationMs, projectId: row.projectId },
    text: itemKind(row) === 'request' && method !== null ? `${method} ${said}` : said,
    ...{ release: row.release, device: deviceText(row), level: null, end: row.end, requestKind, issue: null },
    trace: { traceId: row.traceId, spanId: row.segmentId },
  }
}

function itemKind({ requestKind, end }: FragmentRow): PersonItem['kind'] {
  if (requestKind === 'browser') return 'page'
  if (requestKind === 'action') return 'action'
  return end === null ? 'other' : 'request'
}

/** Returns browser and system; a server states the system that it runs on itself, which is no visitor's. */
function deviceText(
  row: Pick<EventRow, 'browser' | 'os' | 'device' | 'platform' | 'requestKind'>,
): string | null {
  const { browser, os, device, platform, requestKind } = row
  const isServer = SERVER_PLATFORMS.has(platform) || (requestKind !== null && !AT_VISITORS.has(requestKind))
  const named = [browser, isServer ? null : os].filter((text) => text !== null)
  return named.length === 0 ? device : named.join(', ')
}

/** Platforms whose SDKs run on servers alone. */
const SERVER_PLATFORMS: ReadonlySet<string> = new Set([
  'node',
  'python',
  'ruby',
  'php',
  'go',
  'elixir',
  'perl',
])
/** Kinds of what may have run at a visitor's. */
const AT_VISITORS: ReadonlySet<RequestKind> = new Set<RequestKind>(['browser', 'other'])

/** Returns breadcrumbs; errors a second apart tell most of them twice, and each is returned once. */
async function crumbsOf(
  { payloads }: PeopleParts,
  errors: readonly { readonly row: EventRow; readonly item: PersonItem }[],
  { fromMs, beforeMs }: { readonly fromMs: number | null; readonly beforeMs: number | null },
): Promise<readonly PersonItem[]> {
  const read = await Promise.all(
    errors.map(async ({ row, item }) => {
      const file = { kind: ERROR, day: row.day, retentionDays: row.retentionDays }
      const bytes = await payloads.read(file, row.projectId, row.eventId)
      if (bytes === null || bytes.length === 0) return []
      const crumbs = readStoredEvent(bytes).breadcrumbs?.values ?? []
      return crumbs.flatMap((crumb) => crumbItem(crumb, row, item) ?? [])
    }),
  )
  const each = new Map<string, PersonItem>()
  for (const item of read.flat()) {
    const { atMs } = item
    if (atMs < (fromMs ?? 0) || atMs >= (beforeMs ?? Number.POSITIVE_INFINITY)) continue
    each.set(`${item.projectId} ${item.kind} ${Math.round(atMs)} ${item.text}`, item)
  }
  const newest = [...each.values()].sort((one, other) => other.atMs - one.atMs)
  return newest.slice(0, max('personCrumbsMax'))
}

/** Clicks, what was typed into, changes of page, and requests of the browser; the rest is on the error's own page. */
function crumbItem(crumb: Breadcrumb, row: EventRow, { issue }: PersonItem): PersonItem | null {
  const { category = '', timestamp, data, message } = crumb
  const kind = crumbKind(crumb)
  if (kind === null || timestamp === undefined) return null
  const [to, url, method] = [textOf(data?.to), textOf(data?.url), textOf(data?.method)]
  const text = kind === 'page' ? to : kind === 'request' ? `${method} ${url}`.trim() : (message ?? category)
  if (text === '') return null
  const status = Number(data?.status_code)
  return {
    ...{ kind, atMs: timestamp * 1000, durationMs: null, projectId: row.projectId, text },
    ...{ release: row.release, device: deviceText(row), level: null, requestKind: null },
    end: status >= 500 ? 'failed' : null,
    ...{ issue, trace: null },
  }
}

function crumbKind({ category = '', type }: Breadcrumb): PersonItem['kind'] | null {
  if (category === 'navigation' || type === 'navigation') return 'page'
  if (category === 'ui.input') return 'input'
  if (category.startsWith('ui.')) return 'click'
  return category === 'fetch' || category === 'xhr' ? 'request' : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
