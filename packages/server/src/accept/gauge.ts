/** A value with a soft and a hard limit, and a state that does not flap. */

export type GaugeState = 'ok' | 'soft' | 'hard'

export interface GaugeLimits {
  readonly soft: number
  readonly hard: number
  /** `low`: the smaller the value, the worse, as with free disk. */
  readonly worse: 'high' | 'low'
  /** A limit that was passed holds until the value is back at so much of it, 0 to 1. */
  readonly release: number
}

/**
 * ```
 * ok ──soft──▶ soft ──hard──▶ hard
 * ok ◀─release × soft── soft ◀─release × hard── hard
 * ```
 */
export function nextState(state: GaugeState, value: number, limits: GaugeLimits): GaugeState {
  const isPast = (limit: number) => (limits.worse === 'high' ? value >= limit : value <= limit)
  const released = (limit: number) =>
    limits.worse === 'high' ? limit * limits.release : limit / limits.release
  if (isPast(limits.hard) || (state === 'hard' && isPast(released(limits.hard)))) return 'hard'
  return isPast(limits.soft) || (state !== 'ok' && isPast(released(limits.soft))) ? 'soft' : 'ok'
}

/** How far a value is on its way from the soft to the hard limit, 0 to 1. */
export function towardsHard(value: number, { soft, hard }: GaugeLimits): number {
  if (soft === hard) return 1
  return Math.min(1, Math.max(0, (value - soft) / (hard - soft)))
}
