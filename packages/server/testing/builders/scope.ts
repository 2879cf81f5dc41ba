import { type OrgId, orgId, type ProjectId, type UserId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'

/** A scope as `access` would build it. Tests of stores have no viewer: this is the one other place that makes one. */
export function scopeForTest(scope: {
  readonly orgId: OrgId
  readonly projects: readonly ProjectId[]
  readonly orgSlug?: string
  readonly userId?: UserId
  readonly isGuest?: true
}): ReadScope {
  return { orgSlug: 'acme', ...scope } as ReadScope // the mark is a type alone, and only access may put it on
}

/** Builds the scope of a viewer of these projects, as `access` does. */
export function aScope(...projects: readonly ProjectId[]): ReadScope {
  return scopeForTest({ orgId: orgId(1), projects })
}
