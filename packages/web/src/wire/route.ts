/** Page of the app: where it is, who may open it, what shows it. Shared by server and browser. */
import type { ComponentType } from 'react'
import type { ActionAccess } from './types.ts'

export interface PageRoute<Id extends string = string> {
  /** Names the loader in the feature's table. */
  readonly id: Id
  /** Pattern such as `/:org/issues/:id`. */
  readonly path: string
  readonly access: ActionAccess
  /** Section of the handbook that explains it: `page#heading`. Not in the browser's build. */
  readonly docs: string
  /** `app`: below the top bar. `plain`: a page of its own, such as sign-in. */
  readonly frame: 'app' | 'plain'
  /** File of the view below `src/`, so that the document can name its script before the app asks for it. Not in the browser's build. */
  readonly file: string
  readonly view: () => Promise<ComponentType>
}

/** Names a page; `frame` is `app` unless said. */
export function pageRoute<Id extends string>(
  route: Omit<PageRoute, 'id' | 'frame'> & { readonly id: Id; readonly frame?: PageRoute['frame'] },
): PageRoute<Id> {
  return { frame: 'app', ...route }
}
