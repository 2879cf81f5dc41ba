/** `X-Sentry-Rate-Limits`: retry_after:categories:scope:reason, comma separated. docs/wire.md, section "Rate limits". */

export interface ActiveLimit {
  /** Seconds until it ends; rounded up, at most a day: some SDKs overflow above it. */
  readonly retryAfterSeconds: number
  /** Empty means all. */
  readonly categories: readonly string[]
  readonly scope: 'organization' | 'project' | 'key'
  readonly reason: string
}

const RETRY_AFTER_SECONDS_MAX = 86_400

/** Header value, or `null` when nothing is limited. */
export function formatRateLimits(limits: readonly ActiveLimit[]): string | null {
  if (limits.length === 0) return null
  return limits
    .map(
      (limit) =>
        `${wholeSeconds(limit.retryAfterSeconds)}:${limit.categories.join(';')}:${limit.scope}:${limit.reason}`,
    )
    .join(', ')
}

/** Seconds for `Retry-After`: the longest of the limits. */
export function retryAfterSeconds(limits: readonly ActiveLimit[]): number {
  return Math.max(1, ...limits.map((limit) => wholeSeconds(limit.retryAfterSeconds)))
}

function wholeSeconds(seconds: number): number {
  return Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, Math.ceil(seconds)))
}
