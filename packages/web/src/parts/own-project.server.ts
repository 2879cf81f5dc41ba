/** Errata's own project holds its pages: beside those of the apps that it watches they would be counted as theirs. */
import type { Project, ReadScope } from '@errata/server/queries'

/** The scope of "All projects": Errata's own is read only where it is chosen, or where there is no other. */
export function withoutOwn(scope: ReadScope, projects: readonly Pick<Project, 'id' | 'isSelf'>[]): ReadScope {
  const others = projects.filter(({ isSelf }) => !isSelf).map(({ id }) => id)
  return others.length === 0 ? scope : { ...scope, projects: others }
}
