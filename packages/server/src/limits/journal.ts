/** The journal’s files, and a disk that is slow or refuses. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const JOURNAL_LIMITS = {
  journalFileBytesMax: limit(
    64 * MIB,
    'bytes',
    'A file is unlinked whole; smaller ones free the disk sooner.',
  ),
  journalFileAgeMs: limit(
    10_000,
    'ms',
    'A quiet journal gives up its file after so long: it holds envelopes before scrubbing, for seconds.',
  ),
  journalReadTriesMax: limit(
    5,
    'count',
    'A journal file that cannot be read so often is set aside and counted as damaged.',
  ),
  journalReadRetryMs: limit(500, 'ms', 'Pause between these tries.'),
  journalReadPatienceMs: limit(
    30_000,
    'ms',
    'A journal file that a process thread cannot read or find is tried again for so long; what cannot be read then is damaged.',
  ),
  journalBacklogBytesMax: limit(8 * 1024 * MIB, 'bytes', 'Unprocessed bytes; beyond it ingest answers 503.'),
  journalSyncBytesMax: limit(4 * MIB, 'bytes', 'Bytes written per group commit.'),
  journalSmallBytesMax: limit(
    512 * KIB,
    'bytes',
    'Records up to this do not wait for larger ones before them: groups of both kinds go in turn.',
  ),
  journalShareRecords: limit(
    200,
    'count',
    'Envelopes of a project that wait among those of all; further ones wait in the overflow, behind which nobody else waits.',
  ),
  journalShareBytes: limit(4 * MIB, 'bytes', 'Bytes of a project that wait among those of all.'),
  journalBesideMs: limit(
    500,
    'ms',
    'Beside a flood, a part batch of everybody else waits at most this long.',
  ),
  journalInWorkMs: limit(
    1_000,
    'ms',
    'While somebody else sends, a batch of the overflow has what is done within this time beside all that is in work: who comes next waits for it.',
  ),
  journalBesideEnvelopesMin: limit(200, 'count', 'Envelopes of such a batch in any case.'),
  journalProbeMs: limit(1_000, 'ms', 'How often a disk that refused is asked again when nobody sends.'),
  journalStallMs: limit(
    15_000,
    'ms',
    'A write or sync of the journal that takes longer has stalled: ingest answers 503 until it returns.',
  ),
  journalCopyBytesMax: limit(
    64 * KIB,
    'bytes',
    'Bodies up to this are copied side by side before they are written: many small buffers cost the kernel more.',
  ),
  journalInflatedBytesMax: limit(
    64 * KIB,
    'bytes',
    'Bodies up to this enter the journal inflated, so that each is inflated once; larger ones as received.',
  ),
  journalSetAsideDaysMax: limit(
    30,
    'days',
    'Damaged journal files, set aside for a person, are kept this long.',
  ),
} satisfies Readonly<Record<string, Limit>>
