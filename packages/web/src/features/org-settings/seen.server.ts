/**
 * Returns what each form of an organisation's settings shows, kept with the form: whoever saves it must have
 * seen the current values.
 */
import type { Queries, Tracker } from '@errata/server/queries'

type Team = Awaited<ReturnType<Queries['teams']>>[number]
type Member = Awaited<ReturnType<Queries['members']>>[number]
type SignInProvider = Awaited<ReturnType<Queries['signInProviders']>>[number]

export function seenOrganisation({ name, slug }: { readonly name: string; readonly slug: string }) {
  return JSON.stringify({ name, slug })
}

export function seenTeam({
  name,
  members,
  admins,
  projects,
}: Pick<Team, 'name' | 'members' | 'admins' | 'projects'>) {
  const people = { members: ascending(members), admins: ascending(admins) }
  return JSON.stringify({ name, ...people, projects: ascending(projects) })
}

export function seenMember({ role, projects }: Pick<Member, 'role' | 'projects'>) {
  return JSON.stringify({ role, projects: ascending(projects) })
}

export function seenTracker({
  name,
  settings,
  resolvesHere,
  closesThere,
}: Pick<Tracker, 'name' | 'settings' | 'resolvesHere' | 'closesThere'>) {
  return JSON.stringify({ name, settings, resolvesHere, closesThere })
}

/** `null` where the method is off. */
export function seenProvider(provider: SignInProvider | null) {
  return JSON.stringify(provider ?? { issuer: null })
}

function ascending(ids: readonly number[]): readonly number[] {
  return ids.toSorted((a, b) => a - b)
}
