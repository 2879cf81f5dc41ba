/** Threads, calls between them, and the end of the process. */
import { type Limit, limit, MIB } from './limit.ts'

export const THREAD_LIMITS = {
  threadRestartMs: limit(
    250,
    'ms',
    'Pause before a read thread that died is begun again; doubled each time.',
  ),
  threadRestartMsMax: limit(
    30_000,
    'ms',
    'The longest such pause; a thread that lived longer starts afresh.',
  ),
  readSecondFrom: limit(
    3,
    'count',
    'Questions that wait for the read thread before a second is begun, where there are several cores.',
  ),
  readSecondIdleMs: limit(600_000, 'ms', 'A second read thread that nobody needed for so long is ended.'),
  readSecondCacheBytes: limit(8 * MIB, 'bytes', 'What the second read thread keeps of the control store.'),
  keptAnswersMax: limit(
    256,
    'count',
    'Answers that are kept while nothing changes, of all organisations together.',
  ),
  keptQuestionChars: limit(
    8_192,
    'chars',
    'A question with more, such as one of a thousand projects, is answered anew each time.',
  ),
  remoteCallsMax: limit(10_000, 'count', 'Calls waiting for another thread.'),
  systemFactMs: limit(
    3_000,
    'ms',
    'What /system and /metrics wait for a fact that a thread or the disk must say; then it is unknown.',
  ),
  memoryRestMs: limit(30_000, 'ms', 'A thread that was busy and rests for so long gives memory back.'),
  acceptThreadsMax: limit(16, 'count', 'Accept threads that the setting may ask for.'),
  acceptThreadsFollowingMax: limit(
    4,
    'count',
    'Accept threads without the setting: one for each four cores. All ask the one main thread.',
  ),
  acceptBeatMs: limit(
    1_000,
    'ms',
    'An accept thread gives a sign of life so often, and so often somebody looks.',
  ),
  acceptSilentMs: limit(
    10_000,
    'ms',
    'An accept thread without a sign of life for so long is ended and begun again, with the connections it has.',
  ),
  acceptStartMs: limit(60_000, 'ms', 'The same before it listens for the first time.'),
  socketLookMs: limit(
    1_000,
    'ms',
    'Pause between looks whether the socket file of the main thread is there; one that was deleted is made anew.',
  ),
  stopMsMax: limit(10_000, 'ms', 'From SIGTERM to exit.'),
} satisfies Readonly<Record<string, Limit>>
