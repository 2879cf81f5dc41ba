/**
 * Brings files and index together at the start. They part where a process was killed between writing one and the other,
 * where a backup was restored (it holds no compiled maps), and where somebody removed files.
 */
import type { OrgId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'
import type { ArtifactIndex } from '#ports/artifacts.ts'

interface ReconcileParts {
  readonly files: ArtifactFiles
  readonly index: ArtifactIndex
  readonly log: Log
}

/** Before any upload is taken: a file without a row would be one that is just being written. */
export async function reconcile({ files, index, log }: ReconcileParts): Promise<void> {
  const organisations = new Set([...index.held().organisations, ...(await files.organisations())])
  for (const org of organisations) await reconcileOrganisation({ files, index, log }, org)
}

async function reconcileOrganisation({ files, index, log }: ReconcileParts, org: OrgId): Promise<void> {
  const there = await files.names(org)
  const wanted = index.names(org)
  const lost = new Set(namesBeside(wanted.bundles, there.bundles))
  if (lost.size > 0) {
    log.warn('bundles whose bytes are gone are forgotten: upload them again', { org, count: lost.size })
    index.remove(org, { bytes: [...lost] })
  }
  const known = lost.size > 0 ? index.names(org) : wanted
  await files.drop('bundles', org, namesBeside(there.bundles, known.bundles))
  await files.drop('maps', org, namesBeside(there.maps, known.maps))
  for (const mapKey of namesBeside(known.maps, there.maps)) index.mapPutBack(org, mapKey)
}

function namesBeside(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Set(others)
  return names.filter((name) => !left.has(name))
}
