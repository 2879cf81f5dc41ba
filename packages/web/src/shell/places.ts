/** Where one can go from anywhere: the top bar, the palette and the `g` shortcuts read this one list. */

import type { FrameData } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'

export interface Place {
  readonly name: string
  readonly path: string
  /** Second key after `g`; `null` for those that only the palette has. */
  readonly key: string | null
  /** In the top bar; the others are in menus and the palette. */
  readonly isMain: boolean
  /** Addresses that belong to it start with this. */
  readonly prefix: string
}

export function placesOf({ viewer, org }: FrameData): readonly Place[] {
  if (viewer === null) return []
  const list: Place[] = []
  const add = (
    name: string,
    path: string,
    key: string | null,
    more: Partial<Pick<Place, 'isMain' | 'prefix'>> = {},
  ) => list.push({ name, path, key, isMain: more.isMain ?? true, prefix: more.prefix ?? path })
  if (org !== null) {
    add('Issues', paths.issues(org.slug), 'i')
    if (org.permissions.includes('trace.read')) add('Traces', paths.traces(org.slug), 't')
    if (org.permissions.includes('trace.read')) add('Performance', paths.performance(org.slug), 'p')
    if (org.permissions.includes('trace.read')) add('Skew', paths.skew(org.slug), 'w')
    if (org.permissions.includes('release.read')) add('Releases', paths.releases(org.slug), 'r')
    add('Outcomes', paths.outcomes(org.slug), 'o')
    if (org.permissions.includes('alert.read')) add('Alerts', paths.alerts(org.slug), 'b')
  }
  add('Digest', paths.digest(), 'd')
  if (org !== null) {
    add('Projects', paths.projects(org.slug), 'j')
    add('Settings', paths.orgSettings(org.slug), 's')
    if (org.permissions.includes('project.create')) {
      add('New project', paths.newProject(org.slug), 'n', { isMain: false })
    }
    if (org.permissions.includes('member.read'))
      add('Members', paths.members(org.slug), 'm', { isMain: false })
    if (org.permissions.includes('team.read')) add('Teams', paths.teams(org.slug), 'e', { isMain: false })
    if (org.permissions.includes('token.write')) add('Tokens', paths.tokens(org.slug), 'k', { isMain: false })
    if (org.permissions.includes('audit.read'))
      add('Audit log', paths.audit(org.slug), 'l', { isMain: false })
  }
  if (viewer.isOperator) {
    add('System', paths.system(), 'y')
    add('Self-test', paths.selfTest(), 'x', { isMain: false })
  }
  add('Account', paths.account(), 'a', { isMain: false })
  add('Password', paths.accountPassword(), null, { isMain: false })
  add('Sessions', paths.accountSessions(), null, { isMain: false })
  add('Connected apps', paths.accountApps(), null, { isMain: false })
  add('Theme', paths.accountTheme(), null, { isMain: false })
  add('Alerts by email', paths.accountAlerts(), null, { isMain: false })
  return list
}

/** The place an address belongs to: the one with the longest prefix. */
export function placeOf(places: readonly Place[], pathname: string): Place | null {
  let best: Place | null = null
  for (const place of places) {
    const isInside = pathname === place.prefix || pathname.startsWith(`${place.prefix}/`)
    if (isInside && place.isMain && (best === null || place.prefix.length > best.prefix.length)) best = place
  }
  return best
}
