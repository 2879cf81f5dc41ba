/** All that holds and gives out artifacts, over their files and their index. */
import { systemClock } from '#base/clock.ts'
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { Artifacts } from './artifact-work.ts'
import { createUploads, type UploadParts } from './uploads.ts'

export function createArtifacts(parts: UploadParts): Artifacts {
  const { files, index, clock } = parts
  return {
    ...createUploads(parts),
    actions: async (scope, asked) => {
      const readable = asked.filter(({ project }) => scope.projects.includes(project))
      const found = index.actions(readable)
      return asked.map((each) => found[readable.indexOf(each)] ?? null)
    },
    bundles: async (scope, filter) => index.bundles(scope, filter),
    files: async (scope, bundle, limit) => index.files(scope, bundle, limit),
    ofReleases: async (scope, releases) => index.ofReleases(scope, releases),
    releaseFiles: async (scope, filter) => index.releaseFiles(scope, filter),
    failures: async (scope, filter) => index.failures(scope, filter),
    usage: async (org) => index.usage(org),
    fail: async (failure) => index.addFailure(failure),
    noteUsed: async (org, mapKeys) => index.noteUsed(org, mapKeys, clock.now()),
    bundlesOf: async (scope, ids) => ids.filter((id) => index.files(scope, id, 0) !== null),
    held: async () => index.held(),
    // Files have the times of the machine, whatever the clock of Errata says.
    removeOldChunks: () => files.dropChunksBefore(systemClock.now() - max('chunkHoursMax') * HOUR_MS),
  }
}
