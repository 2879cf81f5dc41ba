/** How release health is said, and from when on it is judged. */

const HOUR_MS = 3_600_000

/** Below these shares what is crash-free turns red. */
export const GOALS = { sessions: 0.99, people: 0.98 } as const
/** Fewer sessions say nothing yet. */
const JUDGED_SESSIONS_MIN = 100

/** True for a release in its first hour, or with few sessions: it is not judged. `firstHour`: since 1970. */
export function isYoung(
  firstHour: number,
  { sessions, nowMs }: { readonly sessions: number; readonly nowMs: number },
): boolean {
  return sessions < JUDGED_SESSIONS_MIN || nowMs - firstHour * HOUR_MS < HOUR_MS
}

export const GOAL_TEXT = `red below the goal of ${Math.round(GOALS.sessions * 100)} % of sessions or ${Math.round(GOALS.people * 100)} % of users; grey in the first hour and below ${JUDGED_SESSIONS_MIN} sessions`

/** `98.40 %`: rounded down, so that 100 % is none that crashed. */
export function crashFreeText(share: number | null): string {
  if (share === null) return '–'
  if (share >= 1) return '100 %'
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)} %`
}

export type HealthTone = 'bad' | 'normal' | 'young'

export function crashFreeTone(
  share: number | null,
  { of, isYoung: young }: { readonly of: keyof typeof GOALS; readonly isYoung: boolean },
): HealthTone {
  if (share === null || young) return 'young'
  return share < GOALS[of] ? 'bad' : 'normal'
}

export const TONE_TEXT: Readonly<Record<HealthTone, string>> = {
  bad: 'font-strong text-bad',
  normal: '',
  young: 'text-ink-3',
}

/** `1.22 points lower than`, `the same as`: how a share compares with another. */
export function differenceText(share: number, before: number): string {
  const points = Math.round((share - before) * 10_000) / 100
  if (points === 0) return 'the same as'
  return `${Math.abs(points).toFixed(2)} points ${points < 0 ? 'lower' : 'higher'} than`
}

const BUCKETS_MIN = 4

/** Returns where the axis of few buckets is labelled, as parts of it: at each. `null` where round times have room. */
export function labelledParts(buckets: number): readonly number[] | null {
  if (buckets >= BUCKETS_MIN) return null
  const count = Math.max(1, Math.floor(buckets))
  return Array.from({ length: count }, (_, index) => index / count)
}

const FLOORS = [0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0]

/** Returns where the axis of crash-free shares begins: below every value, and below the goal. */
export function floorOf(shares: readonly (number | null)[]): number {
  const least = Math.min(1, ...shares.filter((share) => share !== null))
  return FLOORS.find((floor) => floor < GOALS.sessions && floor < least) ?? 0
}
