/** Facts that an engine tells of itself in tests of pages and calls. */
import { seq } from '#base/ids.ts'
import type { SystemFacts } from '#queries/system.ts'
import { NOW } from '../builders/times.ts'

export const FACTS_OF_SYSTEM: SystemFacts = {
  version: '0.1.0',
  node: process.version,
  startedMs: NOW,
  url: 'http://localhost:9000',
  dataDirectory: '/data',
  backlog: { bytes: 0, records: 0, oldestMs: 0 },
  acceptingSeq: seq(0),
  health: [],
  disk: { freeBytes: 1, totalBytes: 2, columnBytes: 3, payloadBytes: 4, journalBytes: 5 },
  mail: null,
  memoryBytes: 6,
  acceptThreads: { count: 1, wanted: 1, apart: null },
  retention: {
    ...{ usedBytes: 7, maxDiskBytes: null, daysLeft: null, pendingDeletions: 0 },
    ...{ missingColumns: [], missingPayloads: [], believedMs: null },
  },
  verification: { damages: [], progress: { begunMs: null, endedMs: null, filesDone: 0, files: 0 } },
  pressures: [],
  heldBack: [],
  heldBackKeys: 0,
  backup: { last: null, schedule: null },
}
