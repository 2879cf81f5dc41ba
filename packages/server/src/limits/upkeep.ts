/** Retention, compaction, deleting people, backups and checks. */
import { type Limit, limit, MIB } from './limit.ts'

export const UPKEEP_LIMITS = {
  retentionDaysDefault: limit(90, 'days', 'How long a new project shows its events.'),
  spanRetentionDaysDefault: limit(30, 'days', 'How long a new project shows its spans.'),
  retentionDaysMax: limit(365, 'days', 'The longest class of files; a project may choose any day up to it.'),
  retentionStepMs: limit(3_600_000, 'ms', 'How often what is past its retention is removed.'),
  retentionDelayMs: limit(30_000, 'ms', 'The first of these steps waits so long after the start.'),
  clockDoubtMs: limit(
    86_400_000,
    'ms',
    'A clock that is suddenly further ahead removes nothing by age before it has been so for as long.',
  ),
  retentionFilesPerStepMax: limit(200, 'count', 'Files that one step of retention removes.'),
  retentionGroupsPerTurn: limit(200, 'count', 'Groups pruned in one transaction: some milliseconds.'),
  agedRowsPerTurn: limit(
    200,
    'count',
    'Rows beyond their age that are removed in one transaction, between batches: some milliseconds.',
  ),
  contentsGroupsPerTurn: limit(4_000, 'count', 'Groups counted in one statement over a column file.'),
  compactionStepMs: limit(1_800_000, 'ms', 'After so long a step of compaction leaves the rest to the next.'),
  compactionFilesPerStepMax: limit(20, 'count', 'Days and classes that one step of compaction rewrites.'),
  compactionWindowBytes: limit(
    32 * MIB,
    'bytes',
    'Raw payloads sorted at a time: more memory would hardly find more alike.',
  ),
  compactionBlockEventsMax: limit(128, 'count', 'Events of one compacted payload block.'),
  compactionBlockBytesMax: limit(
    12 * MIB,
    'bytes',
    'Raw bytes of one compacted block: what reading one event unpacks.',
  ),
  compactionRowsPerSlice: limit(50_000, 'count', 'Column rows rewritten in one statement.'),
  removalsKeptMax: limit(200, 'count', 'Removed files that /system can tell of.'),
  peopleDeletedMax: limit(
    100,
    'count',
    'Deleted people of a project until compaction: each is a condition of its queries.',
  ),
  personGroupsMax: limit(100_000, 'count', 'Names per group taken back when a person’s data is deleted.'),
  maxDiskBytesMin: limit(100 * MIB, 'bytes', 'Less than this holds not even one busy day.'),
  diskDaysShownMax: limit(365, 'days', 'Beyond it the disk counts as lasting.'),
  backupChunkBytes: limit(
    16 * MIB,
    'bytes',
    'A backup keeps files in such chunks: of a file that grew, the last ones alone are written again.',
  ),
  backupMinutesMax: limit(720, 'count', 'Minutes a scheduled backup may take before it is stopped.'),
  verifyBytesPerSecond: limit(
    4 * MIB,
    'bytes',
    'What verification reads of the stores a second, at most: a round over 300 GB a day.',
  ),
  verifySliceBytes: limit(MIB, 'bytes', 'Of a payload file in one step, but for a block that is larger.'),
  verifySliceRows: limit(10_000, 'count', 'Column rows in one step.'),
  verifyRoundMs: limit(
    86_400_000,
    'ms',
    'From the begin of one round of verification to the next, at least.',
  ),
  verifyLookMs: limit(60_000, 'ms', 'How often files are looked for that are missing or deleted.'),
  verifyAgainMs: limit(
    600_000,
    'ms',
    'How often files with damage are read again: they may have been mended.',
  ),
  checkFindingsMax: limit(50, 'count', 'Sentences of one kind that a check of the data directory answers.'),
} satisfies Readonly<Record<string, Limit>>
