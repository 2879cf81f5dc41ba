/** Data of the frame around every page: who is signed in, where they are, what they may do there. */
import { PERMISSIONS, type Permission } from '@errata/server/access'
import { type FrameData, NOBODY } from '#parts/frame-data.ts'
import { SEARCHES_SHOWN } from '#parts/list-address.ts'
import { rangeOf } from '#parts/ranges.ts'
import { readsSelf } from '#wire/failure.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'

export async function loadFrame(ctx: LoaderContext): Promise<FrameData> {
  const { engine, viewer, params, nowMs } = ctx
  if (viewer === null) return { ...NOBODY, nowMs: wholeMinute(nowMs) }
  const { id, name, email, isOperator, theme, landing, orgIdLast } = viewer.user
  const { memberships } = viewer
  const all = viewer.own === undefined ? memberships : [...memberships, viewer.own]
  const named = all.find(({ organisation }) => organisation.slug === params.org)
  const last = memberships.find(({ organisation }) => organisation.id === orgIdLast) ?? memberships[0]
  const shown = named ?? last
  const scope = shown === undefined ? null : engine.access.scope(viewer, shown.organisation.slug)
  const project =
    scope === null || shown?.leads.projects.length === 0 || params.project === undefined
      ? null
      : await engine.queries.project(scope, params.project)
  // Of the project that the page is about, a team admin may do more than elsewhere.
  const about = project === null ? {} : { project: project.id }
  const isSelf = readsSelf(engine, viewer)
  const mayAlert = scope !== null && engine.access.can(viewer, scope, 'alert.read', about)
  const [searches, alerts, unread, forReview] = await Promise.all([
    scope === null ? [] : engine.queries.savedSearches(scope),
    mayAlert ? engine.queries.alertsFiring(scope) : null,
    engine.queries.inboxUnread(viewer),
    scope === null ? 0 : engine.queries.issuesForReview(scope, nowMs - rangeOf('14d').ms),
  ])
  return {
    nowMs,
    viewer: { id, name, email, isOperator, theme, landing },
    organisations: memberships.map(({ organisation }) => ({
      slug: organisation.slug,
      name: organisation.name,
    })),
    org:
      shown === undefined || scope === null
        ? null
        : {
            slug: shown.organisation.slug,
            name: shown.organisation.name,
            role: shown.role,
            permissions: permissionsOf(engine, { viewer, scope, about }),
          },
    searches: searches
      .slice(0, SEARCHES_SHOWN)
      .map(({ id, name, query, sort }) => ({ id, name, query, sort })),
    alerts,
    unread,
    forReview,
    rail: ctx.rail,
    selfOrg: isSelf ? (engine.selfTarget?.()?.stored?.organisation ?? null) : null,
  }
}

/** So that a page which nobody signed in to see is the same for a minute (`wire/render.ts`). */
function wholeMinute(ms: number): number {
  return ms - (ms % 60_000)
}

/** Returns all that somebody may do in an organisation, and in the project that a page is about. */
export function permissionsOf(
  { access }: LoaderContext['engine'],
  {
    viewer,
    scope,
    about,
  }: { readonly about: Parameters<typeof access.can>[3] } & Pick<OrgContext, 'viewer' | 'scope'>,
): readonly Permission[] {
  return PERMISSION_NAMES.filter((one) => access.can(viewer, scope, one, about))
}

const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[] // keys of the table are its names
