import { refusePage } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

/** Loads what the link of an issue shows, whoever opens it. */
export async function loadSharedIssue({ engine, params, address }: LoaderContext) {
  const shared = await engine.queries.sharedIssue(params.token ?? '', address)
  return shared.ok ? shared.value : refusePage(shared.code, shared.message)
}
