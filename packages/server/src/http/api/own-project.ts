/** Errata's own project is the operator's, and no part of what an organisation is told of its apps. */
import type { Viewer } from '#access/viewer.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SelfTarget } from '../types.ts'

/** The scope without Errata's own project; operators have it where the address names it, or is of one thing. */
export function scopeOfCall(
  stored: SelfTarget['stored'],
  scope: ReadScope,
  of: {
    readonly viewer: Viewer
    readonly params: Readonly<Record<string, string>>
    readonly url: URL
  },
): ReadScope {
  if (stored === null || !scope.projects.includes(stored.projectId)) return scope
  const { viewer, params, url } = of
  const isOne = ['issue', 'trace', 'event', 'short'].some((name) => params[name] !== undefined)
  const named = [params.project ?? '', ...url.searchParams.getAll('project')]
  const isNamed = named.some((name) => name === stored.project || name === String(stored.projectId))
  if (viewer.user?.isOperator === true && (isOne || isNamed)) return scope
  return { ...scope, projects: scope.projects.filter((id) => id !== stored.projectId) }
}
