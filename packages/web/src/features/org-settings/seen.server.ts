/** What each form of an organisation's settings shows, kept with the form: whoever saves it must have seen what stands there. */
import type { Queries } from '@errata/server/queries'

type Team = Awaited<ReturnType<Queries['teams']>>[number]

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

function ascending(ids: readonly number[]): readonly number[] {
  return ids.toSorted((a, b) => a - b)
}
