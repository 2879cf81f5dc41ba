/** Tables of an app, as the wire serves it. */
import type { ComponentType } from 'react'
import type { Missing } from './answers.ts'
import type { Action } from './define-action.ts'
import type { Loader, LoaderTable } from './loader.ts'
import type { PageRoute } from './route.ts'
import type { ActionAccess, LoaderContext } from './types.ts'

/** An address that answers something else than a page: a download, or JSON for a part of a page. */
export interface HandlerRoute {
  readonly path: string
  readonly access: ActionAccess
  /** True if a redirect from it may lead to a page where the person confirms who they are. */
  readonly confirms?: true
  /** `null`: not there. */
  readonly handle: (ctx: LoaderContext, request: Request) => Promise<Response | null>
}

/** Thing that the palette finds by name: a setting by its label, something that can be made, or a page that is no place. */
export interface NamedTarget {
  readonly kind: 'setting' | 'creation' | 'page'
  /** Shown behind the name of a setting; of a project, its own name is. */
  readonly of: 'account' | 'organisation' | 'system' | 'project'
  readonly names: readonly string[]
  /** Other words that people look for it by. */
  readonly also?: string
  readonly access: ActionAccess
  readonly path: (org: string, project: string) => string
}

/** All that one feature brings: its pages with a loader each, its actions, its handlers, what the palette finds of it. */
export interface FeatureTable<Id extends string = string> {
  readonly routes: readonly PageRoute<Id>[]
  /** By the ids of the routes. */
  readonly loaders: Readonly<Record<NoInfer<Id>, Loader>>
  readonly actions: readonly Action[]
  readonly handlers: readonly HandlerRoute[]
  readonly named?: readonly NamedTarget[]
}

/** A feature's table, checked: every page has a loader, and every loader a page. */
export function featureTable<Id extends string>(table: FeatureTable<Id>): FeatureTable<Id> {
  return table
}

/** Components around every page. */
export interface FrameParts {
  readonly Frame: ComponentType
  /** Shows a failure in place of everything. */
  readonly FailurePage: ComponentType
  /** Shows a refusal in place of the page. */
  readonly RefusalPage: ComponentType
}

/** An address of something that is not there, or not for whoever asks. */
export interface MissingPlace {
  /** Empty for whoever is not signed in: they all see the same. */
  readonly pathname: string
  /** Organisation that the address names. */
  readonly org: string | undefined
  readonly isMember: boolean
  /** There is such a page, of another thing. */
  readonly isPage: boolean
}

export interface AppTables {
  readonly pages: readonly PageRoute[]
  readonly loaders: LoaderTable
  readonly actions: readonly Action[]
  readonly handlers: readonly HandlerRoute[]
  readonly frame: FrameParts
  /** Address of what is known about a digest. */
  readonly digestPath: (digest: string) => string
  /** Names what is not there. */
  readonly missingAt: (place: MissingPlace) => Missing
}
