import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'

/** A scope as `access` would build it. Tests of stores have no viewer: this is the one other place that makes one. */
export function scopeForTest(scope: {
  readonly orgId: OrgId
  readonly projects: readonly ProjectId[]
  readonly orgSlug?: string
  readonly userId?: UserId
}): ReadScope {
  return { orgSlug: 'acme', ...scope } as ReadScope // the mark is a type alone, and only access may put it on
}
