/** Places to go from anywhere: the rail, the palette and the `g` shortcuts read this one list. */

import type { FrameData } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import type { PlaceIcon } from './place-icons.ts'

/** Groups of the rail, in its order. Places of `house` stand last, under a line. */
export const PLACE_GROUPS = ['work', 'data', 'deploys', 'monitors', 'house'] as const
export type PlaceGroup = (typeof PLACE_GROUPS)[number]

export interface Place {
  readonly name: string
  readonly path: string
  /** Second key after `g`; `null` for those that only the palette has. */
  readonly key: string | null
  /** Place in the rail; `null` if it is in menus and the palette only. */
  readonly rail: { readonly group: PlaceGroup; readonly icon: PlaceIcon } | null
  /** Addresses that belong to it start with this. */
  readonly prefix: string
}

/** Returns the places that exist and that the viewer may see. */
export function placesOf({ viewer, org }: FrameData): readonly Place[] {
  if (viewer === null) return []
  const list: Place[] = []
  const add = (name: string, path: string, key: string | null, rail: Place['rail'] = null) =>
    list.push({ name, path, key, rail, prefix: path })
  if (org !== null) {
    const may = (permission: (typeof org.permissions)[number]) => org.permissions.includes(permission)
    if (may('issue.read')) add('Overview', paths.overview(org.slug), 'o', { group: 'work', icon: 'overview' })
    add('Issues', paths.issues(org.slug), 'i', { group: 'work', icon: 'issues' })
    if (may('trace.read')) {
      add('Performance', paths.performance(org.slug), 'p', { group: 'work', icon: 'performance' })
      add('Traces', paths.traces(org.slug), 't', { group: 'data', icon: 'traces' })
    }
    if (may('release.read'))
      add('Releases', paths.releases(org.slug), 'v', { group: 'deploys', icon: 'releases' })
    if (may('trace.read')) add('Skew', paths.skew(org.slug), 'k', { group: 'deploys', icon: 'skew' })
    if (may('alert.read')) add('Alerts', paths.alerts(org.slug), 'a', { group: 'monitors', icon: 'alerts' })
  }
  if (org?.permissions.includes('issue.read')) add('People', paths.people(org.slug), null)
  add('Digest', paths.digest(), 'n', { group: 'house', icon: 'digest' })
  if (org !== null) {
    const may = (permission: (typeof org.permissions)[number]) => org.permissions.includes(permission)
    add('Outcomes', paths.outcomes(org.slug), 'b', { group: 'house', icon: 'outcomes' })
    add('Projects', paths.projects(org.slug), 'j', { group: 'house', icon: 'projects' })
    add('Settings', paths.orgSettings(org.slug), 's', { group: 'house', icon: 'settings' })
    if (may('project.create')) add('New project', paths.newProject(org.slug), null)
    if (may('member.read')) add('Members', paths.members(org.slug), null)
    if (may('team.read')) add('Teams', paths.teams(org.slug), null)
    if (may('token.write')) add('Tokens', paths.tokens(org.slug), null)
    if (may('audit.read')) add('Audit log', paths.audit(org.slug), null)
  }
  if (viewer.isOperator) {
    add('System', paths.system(), 'y', { group: 'house', icon: 'system' })
    add('Self-test', paths.selfTest(), 'x')
  }
  add('Inbox', paths.inbox(), 'm')
  add('Account', paths.account(), null)
  add('Password', paths.accountPassword(), null)
  add('Sessions', paths.accountSessions(), null)
  add('Connected apps', paths.accountApps(), null)
  add('Appearance', paths.accountTheme(), null)
  add('Alerts by email', paths.accountAlerts(), null)
  return list
}

/** Returns which of the places an address belongs to: the one with the longest prefix. */
export function placeOf(places: readonly Place[], pathname: string): Place | null {
  let best: Place | null = null
  for (const place of places) {
    const isInside =
      pathname === place.prefix || (place.name !== 'Overview' && pathname.startsWith(`${place.prefix}/`))
    if (isInside && (best === null || place.prefix.length > best.prefix.length)) best = place
  }
  return best
}
