/** Attachments of events, and the large things that they are kept as. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const ATTACHMENT_LIMITS = {
  attachmentsMax: limit(30, 'count', 'Attachments of one envelope, as the wire defines; more are left out.'),
  attachmentBytesMax: limit(
    200 * MIB,
    'bytes',
    'All attachments of one envelope, as the wire defines; those beyond it are left out.',
  ),
  attachmentNameCharsMax: limit(200, 'chars', 'Kept of an attachment’s file name, its ending included.'),
  attachmentTypeCharsMax: limit(100, 'chars', 'Kept of the content type that a client states.'),
  attachmentRetentionDaysDefault: limit(30, 'days', 'How long a new project keeps attachments.'),
  attachmentDailyMegabytesDefault: limit(
    2_048,
    'MB',
    'Attachments that a new project takes a day: a full disk would stop everybody.',
  ),
  attachmentDailyMegabytesMax: limit(1_048_576, 'MB', 'The most that a project may set for it.'),
  largeBodyBytesMin: limit(
    MIB,
    'bytes',
    'From here on an envelope is read as it comes, its attachments straight to the disk.',
  ),
  largeBodyBytesMax: limit(
    224 * MIB,
    'bytes',
    'An envelope with attachments, inflated: they, and what a body without them may hold.',
  ),
  largeBodiesMax: limit(8, 'count', 'Large envelopes read as they come at a time; one more is 503.'),
  largeInflateChunkBytes: limit(64 * KIB, 'bytes', 'What inflating a large body yields at a time.'),
  blobPieceBytes: limit(MIB, 'bytes', 'Written to, or read from, a large blob in one step.'),
  blobSyncBytes: limit(
    8 * MIB,
    'bytes',
    'Written of a large blob between two syncs: one sync of 200 MiB would hold up the journal’s.',
  ),
  blobUnsyncedBytes: limit(
    32 * MIB,
    'bytes',
    'Written of a large blob while a sync goes on; then it waits. A disk that is slow to sync is asked less often.',
  ),
  blobsUnnamedMs: limit(
    86_400_000,
    'ms',
    'A large blob that no row names stays so long after all that came before it was committed.',
  ),
  appliedToldMs: limit(60_000, 'ms', 'Between two times that upkeep is told how far the journal is applied.'),
  attachmentsSweptAtOnce: limit(1_000, 'count', 'Attachments looked at in one turn of a sweep.'),
  issueAttachmentsMax: limit(100, 'count', 'Attachments on one page of an issue’s list.'),
} satisfies Readonly<Record<string, Limit>>
