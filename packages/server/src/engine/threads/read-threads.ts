/**
 * Threads that read the control store. Long questions, such as searches of many terms, have one of their own, which
 * is begun with the first of them: they wait for each other, and whoever opens a page or looks for an event does not.
 */
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { WaitsFor } from '#ports/waits.ts'
import type { LazyThread } from './lazy-thread.ts'
import type { ReadPair } from './read-pair.ts'
import { type RemoteMethods, remotePort } from './remote.ts'

export interface ReadThreads {
  /** Returns a port as `EngineThread.port`, with the time limit of queries. */
  port<T extends object>(name: string): T
  /** Returns whose long questions one of this person waits for; `null` while none of theirs does. */
  waits(by: Pick<ReadScope, 'orgId' | 'userId'>): WaitsFor | null
}

export function exposeReadThreads(read: Pick<ReadPair, 'port'>, search: LazyThread): ReadThreads {
  /** Askers of those that wait; the first is being answered. */
  const asked: (ReadScope | null)[] = []
  return {
    port<T extends object>(name: string): T {
      const usual = read.port<RemoteMethods>(name)
      const long = search.port<RemoteMethods>(name, max('queryTimeoutMs'))
      return remotePort<T>(async (method, args) => {
        if (!isLong(args)) return usual[method]?.(...args)
        const by = scopeOf(args)
        asked.push(by)
        try {
          return await long[method]?.(...args)
        } finally {
          asked.splice(asked.indexOf(by), 1)
        }
      })
    },
    waits: (by) => waitBehind(asked, by),
  }
}

/** Returns whose questions come first: all wait in one row. */
export function waitBehind(
  asked: readonly (Pick<ReadScope, 'orgId' | 'userId'> | null)[],
  { orgId, userId }: Pick<ReadScope, 'orgId' | 'userId'>,
): WaitsFor | null {
  const isOwn = (each: (typeof asked)[number]) => each?.orgId === orgId && each.userId === userId
  const last = asked.findLastIndex(isOwn)
  if (last < 1) return null
  const before = asked.slice(0, last)
  if (before.every(isOwn)) return 'own'
  return before.some((each) => each?.orgId === orgId && !isOwn(each)) ? 'organisation' : 'others'
}

function scopeOf(args: readonly unknown[]): ReadScope | null {
  const [scope] = args
  return typeof scope === 'object' && scope !== null && isScope(scope) ? scope : null
}

/** True for questions of many words. Whose projects may be read is a part of every question, and counts for nothing. */
export function isLong(args: readonly unknown[]): boolean {
  return charsLeft(args, max('shortQuestionChars')) < 0
}

/** Returns `left` less the characters of all texts and numbers in the value; looks no further than below 0. */
function charsLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length
  if (typeof value !== 'object' || value === null) return left - NUMBER_CHARS
  if (value instanceof Uint8Array || isScope(value)) return left
  let rest = left
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    rest = charsLeft(inner, rest)
    if (rest < 0) return rest
  }
  return rest
}

const NUMBER_CHARS = 4

function isScope(value: object): value is ReadScope {
  return 'orgId' in value && 'projects' in value
}
