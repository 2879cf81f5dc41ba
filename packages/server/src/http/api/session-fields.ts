/** Fields and statuses of sessions, in the words of the web API. */
import type { HealthFigures, SessionCounts } from '#ports/health.ts'
import { crashFree, healthySessions } from '#queries/release-health.ts'

export const STATUSES = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const
export type SessionStatus = (typeof STATUSES)[number]

/** Rates are shares between 0 and 1, `null` where there were no sessions. */
const RATES = {
  'crash_rate(session)': (figures) => sessionShare(figures, 'crashed'),
  'crash_free_rate(session)': (figures) => crashFree(figures).sessions,
  'crash_rate(user)': (figures) => inverse(crashFree(figures).people),
  'crash_free_rate(user)': (figures) => crashFree(figures).people,
  'errored_rate(session)': (figures) => sessionShare(figures, 'errored'),
  'unhandled_rate(session)': (figures) => sessionShare(figures, 'unhandled'),
  'abnormal_rate(session)': (figures) => sessionShare(figures, 'abnormal'),
} satisfies Readonly<Record<string, (figures: HealthFigures) => number | null>>
type RateName = keyof typeof RATES

export const FIELDS = ['sum(session)', 'count_unique(user)', ...rateNames()] as const
export type FieldName = 'sum(session)' | 'count_unique(user)' | RateName

/**
 * Returns a field's value. About people only crashes are known: `null` for other statuses. Rates are over all
 * statuses.
 */
export function sessionFieldValue(
  field: FieldName,
  { figures, status }: { readonly figures: HealthFigures; readonly status: SessionStatus | null },
): number | null {
  if (field === 'sum(session)') {
    if (status === null) return figures.sessions
    return status === 'healthy' ? healthySessions(figures) : figures[status]
  }
  if (field === 'count_unique(user)') {
    if (status === null) return figures.people
    return status === 'crashed' ? figures.crashedPeople : null
  }
  return RATES[field](figures)
}

function rateNames(): readonly RateName[] {
  return Object.keys(RATES).filter((name): name is RateName => name in RATES)
}

function sessionShare(figures: HealthFigures, of: keyof SessionCounts): number | null {
  return figures.sessions === 0 ? null : figures[of] / figures.sessions
}

function inverse(share: number | null): number | null {
  return share === null ? null : 1 - share
}
