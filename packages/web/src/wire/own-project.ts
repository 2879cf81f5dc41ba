/** Errata's own project is the operator's, and no part of what an organisation sees of its apps. */
import type { PersonViewer } from '@errata/server/access'
import type { ReadScope } from '@errata/server/queries'
import type { LoaderContext } from './types.ts'

/**
 * The viewer's scope in the organisation without Errata's own project. Operators have it where the address names it or is of
 * one thing, as an issue or a trace, and where they act or ask for parts of a page.
 */
export function scopeOfAddress(ctx: LoaderContext, viewer: PersonViewer, org: string): ReadScope | null {
  const scope = ctx.engine.access.scope(viewer, org)
  const own = ctx.engine.selfTarget?.()?.stored ?? null
  if (scope === null || own === null || !scope.projects.includes(own.projectId)) return scope
  if (viewer.user.isOperator && (ctx.isPage !== true || isNamed(own, ctx))) return scope
  return { ...scope, projects: scope.projects.filter((id) => id !== own.projectId) }
}

function isNamed(
  own: { readonly project: string; readonly projectId: number },
  { params, url }: Pick<LoaderContext, 'params' | 'url'>,
): boolean {
  if (params.id !== undefined || params.trace !== undefined) return true
  const named = [params.project ?? '', ...url.searchParams.getAll('project')]
  return named.some((name) => name === own.project || name === String(own.projectId))
}
