import type { TraceList } from '@errata/server/queries'

/** True for a request that failed, whatever its status said. */
export function isFailed(end: TraceList['points'][number]['end']): boolean {
  return end === 'failed' || end === 'failed-behind-200'
}
