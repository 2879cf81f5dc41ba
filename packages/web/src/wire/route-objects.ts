/** The pages as React Router knows them. The same tree on the server and in the browser, so that hydration fits. */
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import type { FrameParts } from './app-tables.ts'
import { FRAME } from './names.ts'
import type { PageRoute } from './route.ts'

/** What views read of the page around them with `useMatches`. */
export interface PageFacts {
  readonly frame: PageRoute['frame']
  readonly path: string
}

export interface Views {
  /** By page id. */
  readonly ready: ReadonlyMap<string, ComponentType>
  /** For the others, when they are navigated to. */
  readonly load: (page: PageRoute) => Promise<ComponentType>
}

export function routeObjects(pages: readonly PageRoute[], frame: FrameParts, views: Views): RouteObject[] {
  const children = pages.map((page): RouteObject => {
    const Component = views.ready.get(page.id)
    const load = () => views.load(page)
    const handle: PageFacts = { frame: page.frame, path: page.path }
    return {
      id: page.id,
      path: page.path,
      handle,
      loader: answeredByTheWire,
      ErrorBoundary: frame.RefusalPage,
      ...(Component === undefined ? { lazy: { Component: load } } : { Component }),
    }
  })
  return [
    {
      id: FRAME,
      Component: frame.Frame,
      ErrorBoundary: frame.FailurePage,
      loader: answeredByTheWire,
      shouldRevalidate: () => true,
      children,
    },
  ]
}

/** Marks a route as having data; `dataStrategy` fetches it, so this is never called. */
function answeredByTheWire(): null {
  return null
}
