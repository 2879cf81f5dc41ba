/** Jobs of the engine itself: a restart neither forgets nor repeats them. */

import type { Artifacts } from '#artifacts/artifact-work.ts'
import { removeOldArtifacts } from '#artifacts/housekeeping.ts'
import { JobLoop, type JobLoopParts, type JobRunner } from '#jobs/job-loop.ts'
import { removeSetAside } from '#journal/set-aside.ts'
import type { Settings } from '#limits/settings.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import { createTextLookup } from '#sign-in/domain-proof.ts'
import { recheckDomains } from '#sign-in/domain-recheck.ts'
import { journalPath } from './directory/paths.ts'
import type { Stores } from './threads/stores.ts'

const HOUSEKEEPING_MS = 3_600_000

export interface EngineJobsOptions extends Pick<JobLoopParts, 'clock' | 'random' | 'log'> {
  readonly stores: Pick<Stores, 'jobs' | 'commit' | 'changes' | 'accounts' | 'projects'>
  readonly artifacts: Pick<Artifacts, 'held' | 'remove' | 'removeOldChunks'>
  readonly settings: Pick<Settings, 'dnsServers'>
  /** The data directory. */
  readonly data: string
}

export function createJobs(options: EngineJobsOptions): JobLoop {
  const { stores, artifacts, settings, data, clock, random, log } = options
  const lookUpTexts = createTextLookup(settings.dnsServers)
  const hourly = (kind: string, work: () => Promise<unknown>): JobRunner => ({
    kind,
    firstDueMs: (nowMs) => nowMs + HOUSEKEEPING_MS,
    async run() {
      await work()
      return clock.now() + HOUSEKEEPING_MS
    },
  })
  const unarchive: JobRunner = {
    kind: UNARCHIVE_JOB,
    // Once at the start; then archiving says when.
    firstDueMs: (nowMs) => nowMs,
    run: async () => (await stores.changes.own('returnArchived', { nowMs: clock.now() })).nextMs,
  }
  const standAlone: JobRunner = {
    kind: MIRRORS_JOB,
    // Once at the start; then the mirrors that begin to wait say when.
    firstDueMs: (nowMs) => nowMs,
    run: async () => (await stores.changes.own('standAlone', { nowMs: clock.now() })).nextMs,
  }
  return new JobLoop({
    jobs: stores.jobs,
    runners: [
      unarchive,
      standAlone,
      hourly('sign_in.recheck_domains', () =>
        recheckDomains({
          ...{ lookUpTexts, clock },
          proved: async () => {
            const orgs = (await stores.accounts.organisations()).map(({ id }) => id)
            return stores.changes.own('provedDomains', { orgs })
          },
          note: (checked) => stores.changes.own('noteDomainCheck', checked),
        }),
      ),
      hourly('quarantine.remove_old', () => stores.commit.removeOldQuarantine()),
      hourly('journal.remove_set_aside', () => removeSetAside({ directory: journalPath(data), clock, log })),
      hourly('artifacts.remove_old', () =>
        removeOldArtifacts({
          ...{ artifacts, accounts: stores.accounts, clock },
          projectIds: async () => (await stores.projects.ingestDirectory()).projects.map(({ id }) => id),
        }),
      ),
    ],
    ...{ clock, random, log },
  })
}
