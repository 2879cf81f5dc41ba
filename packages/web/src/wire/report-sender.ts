import { isRateLimited, type RateLimits, updateRateLimits } from '@sentry/core'

export interface ReportTarget {
  readonly dsn: string
  /** Same-origin address that stands for the DSN's server. */
  readonly tunnel: string | null
  readonly sdk: { readonly name: string; readonly version: string }
}

/** Event or span to send, in an envelope of its own. */
export interface ReportItem {
  readonly category: 'error' | 'span'
  /** Beside what every envelope says. */
  readonly header: Readonly<Record<string, unknown>>
  readonly itemHeader: Readonly<Record<string, unknown>>
  readonly payload: unknown
}

/** Browsers refuse what outlives its page beyond 64 KiB in all. */
const KEPT_ALIVE_BYTES_MAX = 60_000
const KEPT_ALIVE_MAX = 15
const ON_THE_WAY_MAX = 40

/**
 * Returns what sends a report to a DSN's server, or to its stand-in on this origin; what that server holds back is
 * dropped. Nobody is told of what fails: offline, or blocked, there is nobody left.
 */
export function createReportSender({ dsn, tunnel, sdk }: ReportTarget): (item: ReportItem) => void {
  const url = tunnel ?? envelopeAddress(dsn, sdk)
  const said = { sdk, ...(tunnel === null ? {} : { dsn }) }
  let limits: RateLimits = {}
  let [onTheWay, bytesOnTheWay] = [0, 0]
  const post = async (url: string, body: string): Promise<void> => {
    const bytes = new Blob([body]).size
    onTheWay += 1
    bytesOnTheWay += bytes
    const keepalive = bytesOnTheWay <= KEPT_ALIVE_BYTES_MAX && onTheWay < KEPT_ALIVE_MAX
    try {
      const { status, headers } = await fetch(url, {
        ...{ method: 'POST', body, keepalive, referrerPolicy: 'strict-origin' },
      })
      limits = updateRateLimits(limits, {
        statusCode: status,
        headers: {
          'x-sentry-rate-limits': headers.get('X-Sentry-Rate-Limits'),
          'retry-after': headers.get('Retry-After'),
        },
      })
    } finally {
      onTheWay -= 1
      bytesOnTheWay -= bytes
    }
  }
  return ({ category, header, itemHeader, payload }) => {
    if (url === null || onTheWay >= ON_THE_WAY_MAX || isRateLimited(limits, category)) return
    const sent_at = new Date().toISOString()
    const lines = [{ ...header, sent_at, ...said }, itemHeader, payload]
    post(url, lines.map((line) => JSON.stringify(line)).join('\n')).catch(() => {})
  }
}

/** The address that a DSN stands for; `null` when it is none. */
function envelopeAddress(dsn: string, sdk: ReportTarget['sdk']): string | null {
  if (!URL.canParse(dsn)) return null
  const { protocol, host, username, pathname } = new URL(dsn)
  const [, path = '', projectId = ''] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  if (username === '' || projectId === '') return null
  const query = new URLSearchParams({
    ...{ sentry_version: '7', sentry_key: username, sentry_client: `${sdk.name}/${sdk.version}` },
  })
  return `${protocol}//${host}${path}/api/${projectId}/envelope/?${query}`
}
