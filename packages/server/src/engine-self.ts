/** Where Errata's own failures go: the "Errata" project of this installation, or another server. */
import type { SelfTarget } from '#http/types.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import { dsnOf } from '#queries/dsn.ts'

export interface SelfTargetFacts {
  readonly directory: IngestDirectory
  /** Public address. */
  readonly url: string
  readonly reportDsn: string | null
}

/** What the browser half is told; `null` until there is a project with an active key. */
export function selfTargetOf({ directory, url, reportDsn }: SelfTargetFacts): SelfTarget | null {
  if (reportDsn !== null) return { dsn: reportDsn, tunnel: null, stored: null }
  const project = directory.projects.find((candidate) => candidate.isSelf)
  const key = directory.keys.find((candidate) => candidate.projectId === project?.id && candidate.isActive)
  const organisation = directory.organisations.find(({ id }) => id === project?.orgId)
  if (project === undefined || key === undefined || organisation === undefined) return null
  const query = new URLSearchParams({ o: organisation.slug, p: project.slug })
  return {
    dsn: dsnOf(url, key),
    tunnel: `/monitoring?${query}`,
    stored: { organisation: organisation.slug, projectId: project.id },
  }
}
