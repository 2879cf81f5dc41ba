/** Adds to an event's stacks, for page and web API: why frames stay unread, and where the sources are. */
import type { ProjectId } from '#base/ids.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { ReadableStacks } from '../stack-types.ts'
import type { StoredEvent } from '../types.ts'
import { frameNotes } from './frame-notes.ts'
import { sourceLinks } from './source-links.ts'

export interface ReadableParts {
  readonly projects: Pick<ProjectsRead, 'project'>
  readonly releases: Pick<ReleasesRead, 'revision'>
  readonly publicAddress: Pick<PublicAddress, 'url'>
}

const NOTHING: ReadableStacks = { notes: [], byFrame: {}, links: {} }

export async function readableStacks(
  { projects, releases, publicAddress }: ReadableParts,
  scope: ReadScope,
  { project: id, event }: { readonly project: ProjectId; readonly event: StoredEvent },
): Promise<ReadableStacks> {
  const project = await projects.project(scope, String(id))
  if (project === null) return NOTHING
  const place = { url: publicAddress.url, org: scope.orgSlug, project: project.slug }
  const { codeMappings } = project.options
  const version = event.release ?? null
  const revision =
    codeMappings.length === 0 || version === null ? null : await releases.revision(scope, version)
  return { ...frameNotes(event, place), links: sourceLinks(event, codeMappings, revision) }
}
