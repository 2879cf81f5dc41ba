/** Target of Errata's own failures: the "Errata" project of this installation, or another server. */
import { type PublicAddress, relayPath } from '#base/public-address.ts'
import type { SelfTarget } from '#http/types.ts'
import type { IngestDirectory, Project, ProjectKey } from '#ports/projects.ts'

interface SelfTargetFacts {
  readonly directory: IngestDirectory
  readonly publicAddress: PublicAddress
  readonly reportDsn: string | null
}

/** Returns the target for browsers; `null` until there is a project with an active key. */
export function selfTargetOf({ directory, publicAddress, reportDsn }: SelfTargetFacts): SelfTarget | null {
  if (reportDsn !== null) return { dsn: reportDsn, tunnel: null, stored: null }
  const self = selfProjectOf(directory)
  const organisation = directory.organisations.find(({ id }) => id === self?.project.orgId)
  if (self === null || organisation === undefined) return null
  const { project, key } = self
  return {
    dsn: publicAddress.dsn(key),
    tunnel: relayPath(organisation.slug, project.slug),
    stored: { organisation: organisation.slug, projectId: project.id },
  }
}

/** The "Errata" project with an active key; `null` until there is one. */
export function selfProjectOf(
  directory: IngestDirectory,
): { readonly project: Project; readonly key: ProjectKey } | null {
  const project = directory.projects.find((candidate) => candidate.isSelf)
  const key = directory.keys.find((candidate) => candidate.projectId === project?.id && candidate.isActive)
  return project === undefined || key === undefined ? null : { project, key }
}
