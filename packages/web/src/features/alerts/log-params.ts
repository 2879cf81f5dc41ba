/** The log's filters, as its address carries them. */

export const LOG_DAYS = ['1', '7', '14', '30', '90'] as const
const DAYS_USUAL = '14'
const TEXT_CHARS_MAX = 200

export interface LogAddress {
  readonly rule: string
  readonly kind: string
  readonly state: string
  readonly days: string
  readonly text: string
  readonly before: string
  /** The one beside the table. */
  readonly message: string
}

export function readLogAddress(params: URLSearchParams): LogAddress {
  const typed = (name: string) => (params.get(name) ?? '').trim().slice(0, TEXT_CHARS_MAX)
  const days = LOG_DAYS.find((one) => one === params.get('days')) ?? DAYS_USUAL
  return {
    ...{ rule: typed('rule'), kind: typed('kind'), state: typed('state'), days },
    ...{ text: typed('text'), before: typed('before'), message: typed('message') },
  }
}

/** Another choice begins at the first page. */
export function logQuery(address: LogAddress, change: Partial<LogAddress> = {}): Record<string, string> {
  const next = { ...address, before: '', message: '', ...change }
  return { ...next, days: next.days === DAYS_USUAL ? '' : next.days }
}

export function isFiltered({ rule, kind, state, text }: LogAddress): boolean {
  return rule !== '' || kind !== '' || state !== '' || text !== ''
}

/** Names what sent an entry: its rule, or the project whose own alert it is; `null` for a message of neither. */
export function senderName({
  rule,
  ofProject,
}: {
  readonly rule: { readonly name: string } | null
  readonly ofProject: { readonly name: string } | null
}): string | null {
  return ofProject === null ? (rule?.name ?? null) : `Alerts of ${ofProject.name}`
}
