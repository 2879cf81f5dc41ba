import type { DirectoryChange, IngestDirectory } from './projects.ts'

/** The directory as a change makes it; nothing of it is copied but its lists. */
export function withChange(directory: IngestDirectory, { projects, now }: DirectoryChange): IngestDirectory {
  const changed = new Set<number>(projects)
  const kept = <T extends { readonly projectId: number }>(
    rows: readonly T[] = [],
    more: readonly T[] = [],
  ) => [...rows.filter(({ projectId }) => !changed.has(projectId)), ...more]
  return {
    version: now.version,
    organisations: now.organisations,
    projects: [...directory.projects.filter(({ id }) => !changed.has(id)), ...now.projects],
    keys: kept(directory.keys, now.keys),
    routes: kept(directory.routes, now.routes),
    builds: kept(directory.builds, now.builds),
  }
}
