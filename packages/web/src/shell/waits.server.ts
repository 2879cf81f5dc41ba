/** Answers, while a page of the viewer waits, what for. */
import type { PageWait } from '@errata/server/queries'
import type { HandlerRoute } from '#wire/app-tables.ts'
import { requireScope } from '#wire/loader.ts'

export interface WaitsAnswer {
  readonly text: string
}

export const waitsHandler: HandlerRoute = {
  path: '/:org/waits',
  access: 'issue.read',
  async handle(ctx) {
    const { engine, scope, waitsFor } = requireScope(ctx)
    const of = waitsFor()
    const wait: PageWait | null = of === null ? await engine.queries.waits(scope) : { kind: 'pages', of }
    return Response.json({ text: wait === null ? READING : pageWaitText(wait) } satisfies WaitsAnswer)
  },
}

/** Text for a page that waits for nothing and only takes long. */
const READING = 'Still loading'

function pageWaitText(wait: PageWait): string {
  switch (wait.kind) {
    case 'pages':
      return wait.of === 'own' ? 'Waiting for your other pages' : 'Waiting for pages that others opened first'
    case 'searches':
      return SEARCHES[wait.of]
    case 'storing':
      return 'Waiting for the store, which is saving events'
  }
}

const SEARCHES = {
  own: 'Waiting for your other searches',
  organisation: 'Waiting for another search in your organisation',
  others: 'Waiting for searches of other organisations',
} as const
