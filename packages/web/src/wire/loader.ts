/** Answers of loaders beside data: sign in first, not found, redirect, refused. */
import type { ErrorCode } from '@errata/server/errors'
import { FRAME } from './names.ts'
import type { LoaderContext, OrgContext, ViewerContext } from './types.ts'

/** Ends a loader with another answer than data. Thrown, so that a helper of a loader can do it too. */
export class PageStop extends Error {
  readonly answer: StopAnswer
  constructor(answer: StopAnswer) {
    super(answer.kind)
    this.name = 'PageStop'
    this.answer = answer
  }
}

export type StopAnswer =
  | { readonly kind: 'redirect'; readonly to: string }
  /** `about`: path of what is not there, where the address names something else. */
  | {
      readonly kind: 'refused'
      readonly code: ErrorCode
      readonly message: string
      readonly about?: string | undefined
    }

/** The page does not exist, or not for this viewer: 404. `about`: path of what is missing, if not that of the page. */
export function notFound(
  message = 'It doesn’t exist, or you don’t have access to it.',
  about?: string,
): never {
  throw new PageStop({ kind: 'refused', code: 'not_found', message, about })
}

/** Sends the person to another page of Errata; `path` starts with `/`. */
export function redirectTo(path: string): never {
  throw new PageStop({ kind: 'redirect', to: path })
}

/** The page cannot be shown: the code gives the status, the message says what happened and what to do. */
export function refusePage(code: ErrorCode, message: string): never {
  throw new PageStop({ kind: 'refused', code, message })
}

/** The context with its viewer; sends those who are not signed in to `/sign-in` and back afterwards. */
export function requireViewer(ctx: LoaderContext): ViewerContext {
  const { viewer } = ctx
  if (viewer === null) return redirectTo(signInPath(ctx.url))
  return { ...ctx, viewer }
}

/** The context with the viewer's scope in the organisation of the address (`:org`); 404 when they have none. Who has to
 * set up a second factor first is led there. */
export function requireScope(ctx: LoaderContext): OrgContext {
  const signedIn = requireViewer(ctx)
  const org = ctx.params.org ?? ''
  const scope = ctx.engine.access.scope(signedIn.viewer, org)
  if (signedIn.viewer.closed.some(({ slug }) => slug === org)) return redirectTo(SECURITY_PATH)
  return scope === null ? notFound() : { ...signedIn, scope }
}

/** The context of an operator of the installation; everybody else sees 404. */
export function requireOperator(ctx: LoaderContext): ViewerContext {
  const signedIn = requireViewer(ctx)
  return signedIn.viewer.user.isOperator ? signedIn : notFound()
}

const SECURITY_PATH = '/account/security'

/**
 * Returns the page where people confirm who they are for an action, and then come back. `of`: the member it
 * is about.
 */
export function confirmPath(
  path: string,
  { action, of }: { readonly action: string; readonly of?: string },
): string {
  const about = of === undefined ? '' : `&of=${encodeURIComponent(of)}`
  return `/confirm?next=${encodeURIComponent(path)}&for=${encodeURIComponent(action)}${about}`
}

/** `/sign-in`, with the way back to where the person was going. */
export function signInPath(url: URL): string {
  const target = `${url.pathname}${url.search}`
  return target === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(target)}`
}

/**
 * A path of this site, or `/`. What is judged is what is returned: parsing removes dot segments and line breaks and
 * turns back slashes round, so that a harmless text may become `//host`, which leads elsewhere.
 */
export function localPath(value: string | null | undefined): string {
  if (value === null || value === undefined || !value.startsWith('/')) return '/'
  const url = URL.canParse(value, BASE) ? new URL(value, BASE) : null
  if (url === null || url.origin !== BASE || !ONE_SLASH.test(url.pathname)) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}

const ONE_SLASH = /^\/(?![/\\])/
const BASE = 'http://errata.invalid'

export type Loader = (ctx: LoaderContext) => Promise<unknown>

/** Loaders by route id. */
export type LoaderTable = Readonly<Record<string, Loader>> & { readonly [FRAME]: Loader }
