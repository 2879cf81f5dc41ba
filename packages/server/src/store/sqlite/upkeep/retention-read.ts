/** Reads what retention and compaction did, for /system. */
import type { RetentionRead, UpkeepRun } from '#ports/care.ts'
import type { Connection } from '../connection.ts'
import { readRemovals } from './retention-write.ts'

export function retentionRead(db: Connection): RetentionRead {
  return {
    upkeepDone: async (removalsMax) => ({
      removals: readRemovals(db, 'ORDER BY id DESC LIMIT ?', [removalsMax]),
      runs: db.all<UpkeepRun>(
        `SELECT kind, begun_ms AS begunMs, ended_ms AS endedMs, files, freed_bytes AS freedBytes, failure
          FROM upkeep_runs ORDER BY kind`,
      ),
    }),
  }
}
