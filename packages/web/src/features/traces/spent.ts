/** Parts of a request's time that a bar can show. Pure. */
import type { TraceRow } from './traces.server.ts'

type Part = 'database' | 'calls' | 'server' | 'browser'

export interface Spent {
  readonly part: Part
  readonly ms: number
}

/**
 * Returns parts one behind the other, which together are the whole. If nobody told, all of it is the side's
 * own.
 */
export function spentOf({
  durationMs,
  requestKind,
  queriesMs,
  callsMs,
}: Pick<TraceRow, 'durationMs' | 'requestKind' | 'queriesMs' | 'callsMs'>): readonly Spent[] {
  const database = Math.min(queriesMs ?? 0, durationMs)
  const calls = Math.min(callsMs ?? 0, durationMs - database)
  const own: Part = requestKind === 'browser' ? 'browser' : 'server'
  const parts: readonly Spent[] = [
    { part: 'database', ms: database },
    { part: 'calls', ms: calls },
    { part: own, ms: durationMs - database - calls },
  ]
  return parts.filter(({ ms }) => ms > 0)
}
