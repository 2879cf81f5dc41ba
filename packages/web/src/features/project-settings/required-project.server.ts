import { notFound } from '#wire/loader.ts'
import type { OrgContext } from '#wire/types.ts'

/** Returns the project that the address names; the page is not found without it. */
export async function requireProject({
  engine,
  scope,
  params,
}: Pick<OrgContext, 'engine' | 'scope' | 'params'>) {
  return (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
}
