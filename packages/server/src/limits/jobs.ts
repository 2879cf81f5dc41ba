/** Work that runs by the clock. */
import { KIB, type Limit, limit } from './limit.ts'

export const JOB_LIMITS = {
  jobLeaseMs: limit(
    600_000,
    'ms',
    'A job under way belongs to whoever took it so long; one whose process died is taken again then.',
  ),
  jobPollMs: limit(15_000, 'ms', 'How often jobs that were scheduled meanwhile are looked for.'),
  jobRetryMs: limit(30_000, 'ms', 'Before a job that failed is tried again; doubled for each try after.'),
  jobRetryMsMax: limit(3_600_000, 'ms', 'Between two tries at most.'),
  jobPauseMs: limit(
    1_000,
    'ms',
    'After the store failed the jobs; doubled for each failure in a row, up to the time between two looks.',
  ),
  jobStopMs: limit(2_000, 'ms', 'A job under way may end in so long when Errata stops.'),
  jobsPerKindMax: limit(2_000, 'count', 'Jobs of one kind that wait; further ones are refused.'),
  jobNameCharsMax: limit(200, 'chars', 'Kind and key of a job, each.'),
  jobPayloadCharsMax: limit(16 * KIB, 'chars', 'What a job is told, as JSON: it names what it needs.'),
  jobSaysCharsMax: limit(300, 'chars', 'What is kept of why a job failed.'),
} satisfies Readonly<Record<string, Limit>>
