/** The stores: memory, statements, open files, queries. */
import { type Limit, limit, MIB } from './limit.ts'

export const STORE_LIMITS = {
  sqliteBusyTimeoutMs: limit(5_000, 'ms', 'Waiting for another process that writes the control store.'),
  serverStartWaitMs: limit(
    10_000,
    'ms',
    'What a command waits for a server that has just been started: until it has made the control store, and listens.',
  ),
  directoryLockWaitMs: limit(
    2_000,
    'ms',
    'What a server that starts waits for a command, such as setup, that holds the data directory for a moment.',
  ),
  controlTurnsMax: limit(
    10_000,
    'count',
    'Changes that wait for the one connection that writes the control store.',
  ),
  controlTurnMs: limit(
    30_000,
    'ms',
    'A transaction of the control store that waits for something longer is undone.',
  ),
  sqliteStatementsMax: limit(400, 'count', 'Prepared statements kept per connection; the oldest go first.'),
  controlRewriteBytesMax: limit(
    1_024 * MIB,
    'bytes',
    'A control store up to this size is written anew once deletions are physical; it is busy for 14 s a GB.',
  ),
  duckdbMemoryMb: limit(384, 'MB', 'Memory of the column store.'),
  duckdbThreads: limit(1, 'count', 'More threads push acknowledgement latency.'),
  duckdbFileIdleMs: limit(300_000, 'ms', 'A column file that is not used for so long is let go.'),
  duckdbFilesPerScanMax: limit(12, 'count', 'Column files read by one statement.'),
  duckdbFilesOpenMax: limit(96, 'count', 'Column files attached at once: a quarter of a year, 0.3 MB each.'),
  duckdbCheckpointMb: limit(
    24,
    'MB',
    'Log of a column file before it is folded in: until then its rows cannot leave memory; less would stall commits more often.',
  ),
  duckdbSpillMb: limit(1_024, 'MB', 'Disk that one large column query may spill to.'),
  neighbourRowsMax: limit(
    2_000,
    'count',
    'Rows around an event that are read instead of counted in the columns.',
  ),
  telemetryInsertCharsMax: limit(
    4 * MIB,
    'chars',
    'Rows handed to the column store in one text; it needs several times as much to part them.',
  ),
  telemetryPageRowsMax: limit(1_000, 'count', 'Event rows of one page.'),
  askDepthMax: limit(20, 'levels', 'Conditions within conditions of one question to the column store.'),
  askConditionsMax: limit(200, 'count', 'Conditions of one question to the column store; beyond it 400.'),
  askFieldsMax: limit(
    60,
    'count',
    'Fields of one question to the column store, or all of the dataset; beyond it 400.',
  ),
  askKeysMax: limit(
    20,
    'count',
    'Fields by which the figures of one question are kept apart; beyond it 400.',
  ),
  askFiguresMax: limit(20, 'count', 'Figures of one question to the column store; beyond it 400.'),
  askTiedRowsMax: limit(20_000, 'count', 'Rows of one item and value that pages of a list pass over.'),
  attributeKeyAskedCharsMax: limit(200, 'chars', 'Key of an attribute that is asked for.'),
  tallyRowsMax: limit(20_000, 'count', 'Counted values and steps of one count of events; beyond it 422.'),
  tallyUsersMax: limit(500_000, 'count', 'Distinct users told apart in one count of events.'),
  telemetryQueriesWaitingMax: limit(1_000, 'count', 'Column queries waiting; beyond it 503.'),
  telemetryQueriesMax: limit(
    3,
    'count',
    'Column queries at once, of one organisation all but one; others wait, and take turns.',
  ),
  telemetryQueryPatienceMs: limit(
    500,
    'ms',
    'A column query that takes longer gives its place to another, and goes on beside it.',
  ),
  telemetryQueriesLongMax: limit(
    3,
    'count',
    'Column queries that go on so, of one organisation all but one, of one person one; a person with one has one place beside it.',
  ),
  queryTimeoutMs: limit(5_000, 'ms', 'A query that takes longer answers store_timeout.'),
  threadCloseMs: limit(
    60_000,
    'ms',
    'A thread that has not closed its stores by then is ended in the middle of its work, as by a kill.',
  ),
  shortQuestionChars: limit(
    400,
    'chars',
    'Words and numbers of a question to the control store; a longer one, such as a search of many terms, is asked on a thread of its own.',
  ),
  payloadIndexBytesMax: limit(128 * MIB, 'bytes', 'All block indices together: 8 bytes an event.'),
  payloadIndexFilesMax: limit(128, 'count', 'Payload files whose block index is held in memory.'),
  payloadCacheBytesMax: limit(16 * MIB, 'bytes', 'Unpacked blocks kept for the next event of the same one.'),
  rowBlocksBytesMax: limit(
    4 * MIB,
    'bytes',
    'Blocks of a file that are unpacked for rows of a page; where it is more than one and more bytes, the columns are read.',
  ),
  payloadReadsMax: limit(4, 'count', 'Blocks read and unpacked at once; others wait.'),
  eventIdRunMax: limit(262_144, 'count', 'Hashes of the newest run, held in memory.'),
  eventIdMemoryBytesMax: limit(
    256 * MIB,
    'bytes',
    'Sorted hashes of the duplicate days held in memory, 8 MB per million ids; the rest is read from disk.',
  ),
} satisfies Readonly<Record<string, Limit>>
