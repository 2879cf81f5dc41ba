/** Errata's own project stood in an organisation of people once: links from then lead its operator to where it is. */
import { redirectTo } from './loader.ts'
import type { LoaderContext } from './types.ts'

/** Redirects an operator whose address names the project, or one of its issues, where the organisation has no such one. */
export async function leadToOwn({ engine, viewer, params, url }: LoaderContext): Promise<void> {
  const own = viewer === null ? null : engine.access.ownScope(viewer)
  if (viewer === null || own === null || params.org === undefined || params.org === own.orgSlug) return
  const { queries } = engine
  const project = params.project ?? url.searchParams.get('project')
  const issue = url.pathname.split('/')[2] === 'issues' ? params.id : undefined
  const scope = engine.access.scope(viewer, params.org)
  const isOwn =
    issue !== undefined
      ? isOnly(await queries.issueScopes(viewer, issue), own.orgSlug)
      : project !== null &&
        (await queries.project(own, project)) !== null &&
        (scope === null || (await queries.project(scope, project)) === null)
  if (!isOwn) return
  const rest = url.pathname.slice(url.pathname.indexOf('/', 1))
  redirectTo(`/${encodeURIComponent(own.orgSlug)}${rest}${url.search}`)
}

function isOnly(scopes: readonly { readonly orgSlug: string }[], slug: string): boolean {
  return scopes.length === 1 && scopes[0]?.orgSlug === slug
}
