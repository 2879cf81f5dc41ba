/** The router of the hydrated app: navigation asks the server once for the page's data. */
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  UNSAFE_createRouter as createRouter,
  type DataRouter,
  type DataStrategyFunction,
  UNSAFE_defaultMapRouteProperties as mapRouteProperties,
  redirect,
} from 'react-router'
import type { PageAnswer, PageState } from './answers.ts'
import type { FrameParts } from './app-tables.ts'
import type { PageClient } from './client.ts'
import { asFailure, ServerFailure } from './failures.ts'
import { FRAME } from './names.ts'
import type { PageRoute } from './route.ts'
import { routeObjects, type Views } from './route-objects.ts'

export interface BrowserRouterParts {
  readonly pages: readonly PageRoute[]
  readonly frame: FrameParts
  /** The first page's view, loaded already. */
  readonly views: Views
  readonly state: PageState
  readonly client: PageClient
  /** Page that the state belongs to. */
  readonly firstPage: string
}

/**
 * What `createBrowserRouter` does, in its own words: that function stands in a module with forms, links and fetchers
 * that cannot be shaken off (8 KB gzip of the first load, react-router 8.5). Links and forms are the wire's own.
 */
export function createAppRouter(parts: BrowserRouterParts): DataRouter {
  const { pages, frame, views, state, client, firstPage } = parts
  const errors = state.error === null ? null : { [firstPage]: asFailure(state.error) }
  return createRouter({
    history: createBrowserHistory({ window }),
    routes: routeObjects(pages, frame, views),
    mapRouteProperties,
    hydrationData: { loaderData: { ...state.data }, errors },
    dataStrategy: pageDataStrategy(client, state.data[FRAME]),
    window,
  }).initialize()
}

/** One GET for all loaders of a page. The frame's last data stays when an answer brings none. */
function pageDataStrategy(client: PageClient, firstFrame: unknown): DataStrategyFunction {
  let frameData = firstFrame
  return async ({ request, matches }) => {
    const url = new URL(request.url)
    const asked = client.page(`${url.pathname}${url.search}`, request.signal)
    const results = await Promise.all(
      matches.map(async (match) => {
        const { id } = match.route
        const result = await match.resolve(async () => {
          const answer = await asked
          if (id !== FRAME) return resultOf(id, answer)
          if ('data' in answer) frameData = answer.data[FRAME]
          return frameResult(answer, frameData)
        })
        return [id, result] as const
      }),
    )
    return Object.fromEntries(results)
  }
}

/** Redirects and failures concern the whole page, so they are the frame's; refusals are shown inside it. */
function frameResult(answer: PageAnswer, frameData: unknown): unknown {
  if ('redirect' in answer) return redirect(answer.redirect)
  if ('error' in answer) {
    const failure = asFailure(answer.error)
    if (failure instanceof ServerFailure) throw failure
  }
  return frameData ?? null
}

function resultOf(id: string, answer: PageAnswer): unknown {
  if ('data' in answer) return answer.data[id] ?? null
  if ('error' in answer) throw asFailure(answer.error)
  return null
}
