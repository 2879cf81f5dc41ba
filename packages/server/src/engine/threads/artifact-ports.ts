/** Ports of the artifacts thread. */
import { existsSync } from 'node:fs'
import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { LookUps } from '#artifacts/look-up.ts'
import { createLookUps, NOTHING_INDEXED } from '#artifacts/look-ups.ts'
import type { Clock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { artifactIndexPath } from '../directory/paths.ts'
import type { LazyThread } from './lazy-thread.ts'
import { threadMaps } from './thread-maps.ts'

/** Answers while nothing was ever uploaded. */
const NOTHING = {
  ...{ bundles: [], files: null, releaseFiles: [], ofReleases: [], failures: [], bundlesOf: [] },
  actions: [],
  usage: { bundles: 0, bytes: 0 },
  held: { organisations: [], projects: [] },
  ...{ remove: 0, removeOldChunks: 0, noteUsed: undefined },
} satisfies { readonly [M in keyof Artifacts]?: Awaited<ReturnType<Artifacts[M]>> }

/** Builds the ports; questions and removals alone do not start the thread and its database. */
export function artifactPorts(
  thread: LazyThread,
  { data, clock }: { readonly data: string; readonly clock: Clock },
) {
  const hasArtifacts = () => existsSync(artifactIndexPath(data))
  const answers = new Map<string, unknown>(Object.entries(NOTHING))
  const artifacts = thread.port<Artifacts>('artifacts', null, (method) =>
    answers.has(method) && !hasArtifacts() ? { answer: answers.get(method) } : null,
  )
  const there = thread.port<LookUps>('lookUps', max('queryTimeoutMs'))
  const here = createLookUps({
    index: NOTHING_INDEXED,
    maps: threadMaps({ data, clock, onUsed: () => {} }),
  })
  const lookUps: LookUps = {
    lookUp: (project, places) => (hasArtifacts() ? there : here).lookUp(project, places),
  }
  return { artifacts, hasArtifacts, lookUps }
}
