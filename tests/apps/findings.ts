/** Reads what Errata has of an example's failures, over its web API. */
import { type ApiEvent, type ApiIssue, apiGet } from '../support/api.ts'
import type { SetUp } from '../support/start-errata.ts'

const of = ({ organisation }: SetUp) => `/organizations/${organisation}`

export async function categoryOf(shop: SetUp, { id }: ApiIssue): Promise<string> {
  const { errata } = await apiGet<{ readonly errata: { readonly category: string } }>(
    shop,
    `${of(shop)}/issues/${id}/`,
  )
  return errata.category
}

/** Newest first, in full. */
export function eventsOf(shop: SetUp, { id }: ApiIssue): Promise<readonly ApiEvent[]> {
  return apiGet(shop, `${of(shop)}/issues/${id}/events/?full=1`)
}

export interface Mismatch {
  readonly component: string | null
  readonly source: 'helper' | 'development'
  readonly halves: { readonly server: string | null; readonly client: string | null } | null
  /** The likely one. */
  readonly cause: string | null
}

interface HydrationEvent extends ApiEvent {
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly errata: {
    readonly hydration?: Omit<Mismatch, 'cause'> & {
      readonly causes: readonly { readonly cause: string; readonly isLikely: boolean }[]
    }
  }
}

/** Returns the mismatch of each hydration event, and the context that the browser sent with it. */
export async function mismatchesOf(
  shop: SetUp,
  { id }: ApiIssue,
): Promise<readonly { readonly sent: unknown; readonly shown: Mismatch | null }[]> {
  const events = await apiGet<readonly HydrationEvent[]>(shop, `${of(shop)}/issues/${id}/events/?full=1`)
  return events.map(({ contexts, errata: { hydration } }) => {
    const sent = contexts['errata.hydration']
    if (hydration === undefined) return { sent, shown: null }
    const { component, source, halves, causes } = hydration
    const cause = causes.find(({ isLikely }) => isLikely)?.cause ?? null
    return { sent, shown: { component, source, halves, cause } }
  })
}

/** Each kind of request that the events came from, once. */
export function requestKinds(events: readonly ApiEvent[]): readonly string[] {
  const kinds = events.map(({ tags }) => tags.find(({ key }) => key === 'request_kind')?.value ?? 'none')
  return [...new Set(kinds)].sort()
}

interface Segment {
  readonly route: string | null
  readonly action: string | null
}

/** Newest first. */
export async function segments(shop: SetUp, query: string): Promise<readonly Segment[]> {
  const fields = 'dataset=spans&field=route&field=action&statsPeriod=1d'
  const { data } = await apiGet<{ readonly data: readonly Segment[] }>(
    shop,
    `${of(shop)}/events/?${fields}&query=${encodeURIComponent(query)}`,
  )
  return data
}

export interface Figure {
  /** `kind route`. */
  readonly key: string
  /** `kind route count failed failedBehind200`. */
  readonly text: string
  readonly failed: number
}

export async function requestFigures(shop: SetUp): Promise<readonly Figure[]> {
  const { data } = await apiGet<{ readonly data: readonly ApiFigure[] }>(shop, `${of(shop)}/requests/`)
  return data.map(({ kind, route, count, failed, failedBehind200 }) => ({
    key: `${kind} ${route}`,
    text: `${kind} ${route} ${count} ${failed} ${failedBehind200}`,
    failed,
  }))
}

interface ApiFigure {
  readonly kind: string
  readonly route: string
  readonly count: number
  readonly failed: number
  readonly failedBehind200: number
}
