/** Overload: soft limits hold back the heaviest keys, hard ones everybody. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const OVERLOAD_LIMITS = {
  backlogBytesSoft: limit(4 * 1024 * MIB, 'bytes', 'Unprocessed bytes beyond which the heaviest keys wait.'),
  backlogBytesHard: limit(
    7.5 * 1024 * MIB,
    'bytes',
    'Beyond it ingest answers 503: a little before the journal itself refuses.',
  ),
  backlogAgeMsSoft: limit(120_000, 'ms', 'What waits longer than this is late; the heaviest keys wait.'),
  backlogAgeMsHard: limit(3_600_000, 'ms', 'Processing stands still; beyond it ingest answers 503.'),
  memoryBytesMax: limit(
    4 * 1024 * MIB,
    'bytes',
    'Memory counted on, where the machine or its container has more; else what it has.',
  ),
  memoryBytesLeast: limit(
    448 * MIB,
    'bytes',
    'Less ends the start with a sentence: at rest Errata takes 250 MB, and a limit that was passed would hold for ever.',
  ),
  memoryPercentSoft: limit(70, 'percent', 'Of that memory; beyond it the heaviest keys wait.'),
  memoryPercentHard: limit(85, 'percent', 'Of that memory; beyond it ingest answers 503.'),
  diskFreeBytesSoft: limit(4 * 1024 * MIB, 'bytes', 'Free disk below which the heaviest keys wait.'),
  diskFreePercentSoft: limit(5, 'percent', 'The same on a small disk: the smaller of both counts.'),
  diskFreeBytesHard: limit(512 * MIB, 'bytes', 'Free disk below which ingest answers 503.'),
  diskFreePercentHard: limit(1, 'percent', 'The same on a small disk: the smaller of both counts.'),
  pressureReleasePercent: limit(
    80,
    'percent',
    'A limit that was passed holds until the value is back at so much of it: nothing flaps.',
  ),
  pressurePollMs: limit(500, 'ms', 'How often backlog, memory and free disk are looked at.'),
  overloadWindowSeconds: limit(10, 'count', 'Seconds over which the demand of a key is measured.'),
  overloadKeysMax: limit(10_000, 'count', 'Keys whose demand is measured; others pass as quiet.'),
  overloadShareBytesMin: limit(
    32 * KIB,
    'bytes',
    'What every project may send in a second while the heaviest wait: a few events.',
  ),
  overloadEnvelopeBytes: limit(512, 'bytes', 'What an envelope counts beside its body.'),
  overloadWorkWeightMax: limit(
    64,
    'count',
    'A key whose bytes take longer to process than the average counts as so many times its bytes, at most.',
  ),
  overloadKeysShown: limit(20, 'count', 'Keys that /system names as held back, the heaviest first.'),
  limitedRetrySeconds: limit(5, 'count', 'Retry-After of a key that is held back; shares move every second.'),
  overloadedRetrySeconds: limit(
    15,
    'count',
    'Retry-After of a 503, in seconds: a full disk or backlog lasts.',
  ),
} satisfies Readonly<Record<string, Limit>>
