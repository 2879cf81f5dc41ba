/** Tells what somebody's page waits for, as far as the stores know. */
import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { ColumnWaits, WaitsFor } from '#ports/waits.ts'

/** A reason to wait. `storing`: the thread that answers is busy with events. */
export type PageWait =
  | { readonly kind: 'searches'; readonly of: WaitsFor }
  | { readonly kind: 'pages'; readonly of: 'own' | 'others' }
  | { readonly kind: 'storing' }

interface WaitQueries {
  /** Returns what a page of the viewer waits for in a store; `null`: it is being read. */
  waits(scope: ReadScope): Promise<PageWait | null>
}

export interface WaitParts {
  readonly telemetry: ColumnWaits
  readonly longQuestions: { waits(scope: ReadScope): WaitsFor | null }
}

export function waitQueries({ telemetry, longQuestions }: WaitParts): WaitQueries {
  return {
    async waits(scope) {
      const behind = longQuestions.waits(scope)
      if (behind !== null) return { kind: 'searches', of: behind }
      const { promise: late, resolve } = Promise.withResolvers<PageWait>()
      const patience = setTimeout(() => resolve({ kind: 'storing' }), max('waitPatienceMs'))
      const asked = telemetry.waits(scope).then((of): PageWait | null => of && { kind: 'searches', of })
      try {
        return await Promise.race([asked, late])
      } finally {
        clearTimeout(patience)
      }
    },
  }
}
