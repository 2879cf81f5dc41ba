/** From the journal to the stores: process threads and the commit. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const BATCH_LIMITS = {
  batchEnvelopesMax: limit(1_000, 'count', 'Envelopes of one batch.'),
  batchBytesMax: limit(
    8 * MIB,
    'bytes',
    'Journal bytes of one batch, most of them inflated; one larger envelope is a batch alone.',
  ),
  batchDelayMs: limit(200, 'ms', 'A part batch waits at most this long.'),
  batchesInFlightMax: limit(2, 'count', 'Batches at each worker: one in work, one waiting.'),
  processThreadsMax: limit(64, 'count', 'Process threads that the setting may ask for.'),
  processThreadsFollowingMax: limit(
    16,
    'count',
    'Process threads without the setting: two on two cores, one fewer than cores on more. All are fed to one commit.',
  ),
  processThreadBytes: limit(
    256 * MIB,
    'bytes',
    'Memory of the machine or container for each process thread: a smaller one has fewer of them.',
  ),
  processThreadBeginMs: limit(
    1_000,
    'ms',
    'The log has waited so long for process threads: one more begins, where a core is left for it.',
  ),
  processThreadShareMs: limit(
    60_000,
    'ms',
    'The same where the new one shares a core with the main and the commit thread.',
  ),
  processThreadRestMs: limit(
    60_000,
    'ms',
    'A process thread more than at the start that was not needed for so long ends.',
  ),
  processTriesMax: limit(3, 'count', 'An envelope that fails this often is quarantined.'),
  processTimeoutMs: limit(30_000, 'ms', 'A worker silent for so long is replaced.'),
  commitRetryMs: limit(500, 'ms', 'Pause before a failed commit is taken back and tried again.'),
  commitStallMs: limit(
    60_000,
    'ms',
    'A commit that takes longer has stalled: /health says so until it returns; ingest goes on into the journal.',
  ),
  quarantineDaysMax: limit(7, 'days', 'Quarantined envelopes are kept this long.'),
  quarantineBytesMax: limit(
    256 * MIB,
    'bytes',
    'Quarantined envelopes together; the oldest of the project that has most go first.',
  ),
  duplicateDays: limit(7, 'days', 'An event id is stored once within so many days.'),
  strideEnvelopesMax: limit(
    48,
    'count',
    'Envelopes that a process thread reads together, step by step: more of them win nothing.',
  ),
  strideBytesMax: limit(
    MIB,
    'bytes',
    'Of envelopes that are read together, inflated; a larger one is the last of its stride.',
  ),
  memoEntriesMax: limit(
    8_192,
    'count',
    'Texts whose result a process thread remembers, per step: names of keys, functions, files.',
  ),
  hashesRememberedMax: limit(2_000, 'count', 'Groups whose hash a process thread remembers.'),
  memoCharsMax: limit(256, 'chars', 'Longer texts are computed every time; they hardly ever repeat.'),
  sharedPartsMax: limit(
    1_024,
    'count',
    'Stack traces, lists of modules and such that a process thread knows again.',
  ),
  sharedPartBytesMax: limit(256 * KIB, 'bytes', 'A longer stack trace is read anew every time.'),
  sharedPartsBytesMax: limit(
    4 * MIB,
    'bytes',
    'All of them together as JSON; with what was made of them about four times as much memory.',
  ),
  blockEventsMax: limit(128, 'count', 'Events of one payload block.'),
  blockBytesMax: limit(4 * MIB, 'bytes', 'Raw bytes of one payload block.'),
} satisfies Readonly<Record<string, Limit>>
