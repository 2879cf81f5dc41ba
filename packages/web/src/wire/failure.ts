/**
 * Classifies a thrown value: another answer, an expected refusal, or a failure of Errata that is recorded.
 */
import { ERROR_CATALOGUE, type ErrorCode } from '@errata/server/errors'
import type { Engine } from '@errata/server/http'
import type { WireError } from './answers.ts'
import { digestOf } from './digest.ts'
import { PageStop } from './loader.ts'
import { codeOf, passingError } from './readable.ts'
import type { LoaderContext } from './types.ts'

export type Stopped =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'refused'; readonly error: WireError }
  | { readonly kind: 'failed'; readonly error: WireError & { readonly digest: string } }

/** Place of the failure, as `Engine.report` takes it. */
export interface FailurePlace {
  readonly requestKind: 'document' | 'page-data' | 'prefetch' | 'action' | 'route-handler'
  readonly method: string
  /** Pattern of the route. */
  readonly route: string
  readonly traceId: string
}

/** Tells the three apart, and records the last one. `recordedPath` makes the link for those who may follow it. */
export function stopOf(
  thrown: unknown,
  place: FailurePlace,
  where: { readonly ctx: LoaderContext; readonly recordedPath: (digest: string) => string },
): Stopped {
  if (thrown instanceof PageStop) {
    const { answer } = thrown
    if (answer.kind === 'redirect') return answer
    return { kind: 'refused', error: { code: answer.code, message: answer.message } }
  }
  const code = codeOf(thrown)
  if (statusOf(code) < 500) {
    const message = thrown instanceof Error ? thrown.message : ERROR_CATALOGUE[code].cause
    return { kind: 'refused', error: { code, message } }
  }
  const passing = passingError(thrown)
  if (passing !== null) return { kind: 'refused', error: passing }
  const { engine, viewer } = where.ctx
  const digest = digestOf(thrown)
  engine.report({ error: thrown, digest, ...place })
  const recorded = readsSelf(engine, viewer) ? { recorded: where.recordedPath(digest) } : {}
  const message = `${ERROR_CATALOGUE[code].cause} ${ERROR_CATALOGUE[code].next}`
  return { kind: 'failed', error: { code, message, digest, ...recorded } }
}

/** HTTP status of a code of the catalogue. */
export function statusOf(code: ErrorCode): number {
  return ERROR_CATALOGUE[code].status
}

/** True when the viewer may read the project that holds Errata's own failures: an operator. */
export function readsSelf(engine: Engine, viewer: LoaderContext['viewer']): boolean {
  const stored = engine.selfTarget?.()?.stored ?? null
  if (viewer === null || stored === null) return false
  return engine.access.ownScope(viewer)?.projects.includes(stored.projectId) === true
}
