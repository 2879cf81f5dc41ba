/** What the engine itself runs by the clock, as jobs: a restart neither forgets nor repeats it. */
import { JobLoop, type JobLoopParts, type JobRunner } from '#jobs/job-loop.ts'
import { removeSetAside } from '#journal/set-aside.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import { journalPath } from './directory/paths.ts'
import type { Stores } from './threads/stores.ts'

const HOUSEKEEPING_MS = 3_600_000

export interface EngineJobsOptions extends Pick<JobLoopParts, 'clock' | 'random' | 'log'> {
  readonly stores: Pick<Stores, 'jobs' | 'commit' | 'issuesWrite'>
  /** The data directory. */
  readonly data: string
}

export function createJobs({ stores, data, clock, random, log }: EngineJobsOptions): JobLoop {
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
    run: async () => (await stores.issuesWrite.unarchiveDue(clock.now())).nextMs,
  }
  return new JobLoop({
    jobs: stores.jobs,
    runners: [
      unarchive,
      hourly('quarantine.remove_old', () => stores.commit.removeOldQuarantine()),
      hourly('journal.remove_set_aside', () => removeSetAside({ directory: journalPath(data), clock, log })),
    ],
    ...{ clock, random, log },
  })
}
