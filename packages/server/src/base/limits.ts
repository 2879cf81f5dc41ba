/**
 * Every constant that bounds something, each with unit and reason. `docs/specification.md` point 9 is checked
 * against this table. What a person sets is in `settings.ts`; what a project sets is in its options.
 */
export interface Limit {
  readonly value: number
  readonly unit: 'bytes' | 'ms' | 'count' | 'chars' | 'levels' | 'days' | 'percent' | 'MB'
  readonly reason: string
}

const limit = (value: number, unit: Limit['unit'], reason: string): Limit => ({ value, unit, reason })

const KIB = 1024
const MIB = 1024 * KIB

export const LIMITS = {
  // Requests.
  bodyBytesMax: limit(
    20 * MIB,
    'bytes',
    'Largest body an SDK sends compressed; larger ones are refused while reading.',
  ),
  bodyInflatedBytesMax: limit(100 * MIB, 'bytes', 'A decompression bomb costs at most this.'),
  bodyEncodingsMax: limit(3, 'count', 'Chained Content-Encodings: more than a proxy or two never add.'),
  inflateSyncBytesMax: limit(
    64 * KIB,
    'bytes',
    'Compressed bodies up to this are inflated at once: the two hops of the asynchronous form cost more.',
  ),
  inflateSyncOutputBytesMax: limit(
    MIB,
    'bytes',
    'What inflating at once may yield: a millisecond; beyond it the asynchronous form takes over.',
  ),
  inflationsMax: limit(4, 'count', 'Large bodies inflated at a time; each may cost bodyInflatedBytesMax.'),
  inflationQueueMax: limit(256, 'count', 'Large bodies waiting to be inflated; beyond it 503.'),
  bodiesInFlightBytesMax: limit(256 * MIB, 'bytes', 'Bodies held in memory by all requests together.'),
  headerTimeoutMs: limit(15_000, 'ms', 'A client that does not finish its headers holds a socket.'),
  bodyTimeoutMs: limit(30_000, 'ms', 'A client that does not finish its body holds memory.'),
  timeoutCheckMs: limit(5_000, 'ms', 'How often unfinished headers and bodies are looked for.'),
  headerBytesMax: limit(
    64 * KIB,
    'bytes',
    'Request line and headers; an old browser sends its event in the query.',
  ),
  drainBytesMax: limit(
    64 * MIB,
    'bytes',
    'Read and thrown away of a refused body, so that the client sees the status and no reset connection.',
  ),
  drainTimeoutMs: limit(5_000, 'ms', 'So long at most a refused body is drained.'),
  portTriesMax: limit(100, 'count', 'Ports tried when the usual one is taken.'),
  keepAliveTimeoutMs: limit(65_000, 'ms', 'Longer than the 60 s of common proxies, which must close first.'),
  connectionsMax: limit(10_000, 'count', 'Open sockets; the default descriptor limit is above it.'),
  formBytesMax: limit(256 * KIB, 'bytes', 'An action or API body is a form, not a file.'),
  // Envelopes.
  envelopeHeaderBytesMax: limit(64 * KIB, 'bytes', 'First line; real ones are below 2 KiB.'),
  itemHeaderBytesMax: limit(16 * KIB, 'bytes', 'Item header line; real ones are below 1 KiB.'),
  envelopeItemsMax: limit(1_000, 'count', 'Items of one envelope; SDKs stay below 130.'),
  eventItemsMax: limit(1, 'count', 'Event-like items of one envelope, as the wire defines.'),
  eventBytesMax: limit(2 * MIB, 'bytes', 'One event; SDKs aim for 1 MiB.'),
  clientReportBytesMax: limit(100 * KIB, 'bytes', 'All client reports of one envelope.'),
  clientReportsMax: limit(100, 'count', 'Client reports of one envelope.'),
  clientReportEntriesMax: limit(1_000, 'count', 'Entries read of one client report; SDKs send a handful.'),
  outcomeQuantityMax: limit(1_000_000_000, 'count', 'What one client report may say was lost at once.'),
  itemBytesMax: limit(100 * MIB, 'bytes', 'Any other item.'),
  jsonDepthMax: limit(100, 'levels', 'Nesting beyond it is an attack, not data.'),
  // Events.
  eventKeysMax: limit(50_000, 'count', 'Keys and elements visited in one event before the rest is cut.'),
  framesMax: limit(250, 'count', 'Frames kept of one stack trace; the oldest go first.'),
  framesWithContextMax: limit(50, 'count', 'Frames that keep variables and source lines.'),
  exceptionsMax: limit(50, 'count', 'Exceptions in one chain.'),
  breadcrumbsMax: limit(200, 'count', 'Breadcrumbs kept, the newest; SDKs send at most 100.'),
  threadsMax: limit(100, 'count', 'Threads kept.'),
  tagsMax: limit(100, 'count', 'Tags of one event.'),
  tagKeyCharsMax: limit(200, 'chars', 'As the wire defines.'),
  tagValueCharsMax: limit(200, 'chars', 'As the wire defines.'),
  contextsMax: limit(50, 'count', 'Contexts of one event.'),
  problemsMax: limit(50, 'count', 'Problems noted of one event.'),
  scrubbedPathsMax: limit(200, 'count', 'Scrubbed places of one event that are listed; all are scrubbed.'),
  fingerprintPartsMax: limit(20, 'count', 'Parts of an explicit fingerprint.'),
  messageCharsMax: limit(8_192, 'chars', 'Message or exception value.'),
  titleCharsMax: limit(256, 'chars', 'Title of an issue.'),
  culpritCharsMax: limit(200, 'chars', 'Culprit of an issue.'),
  stringCharsMax: limit(16_384, 'chars', 'Any other string of an event.'),
  bagBytesMax: limit(256 * KIB, 'bytes', 'Extra data; a context has 8 KiB.'),
  contextBytesMax: limit(8 * KIB, 'bytes', 'One context.'),
  frameVarsBytesMax: limit(4 * KIB, 'bytes', 'Local variables of one frame.'),
  bagDepthMax: limit(7, 'levels', 'Depth of extra data and contexts; deeper values become text.'),
  eventAgeDaysMax: limit(30, 'days', 'Older event times are replaced by the time of receipt.'),
  eventFutureMsMax: limit(60_000, 'ms', 'Later event times are replaced by the time of receipt.'),
  clockDriftMsMin: limit(55_000, 'ms', 'A client clock this far off is corrected by its sent_at.'),
  // Grouping and issues.
  groupsPerIssueMax: limit(500, 'count', 'Groups that merging may give one issue.'),
  digestsPerEventMax: limit(10, 'count', 'Digests taken from one event.'),
  digestsPerGroupMax: limit(1_000, 'count', 'Digests kept of one group, the newest.'),
  usersExactMax: limit(
    500,
    'count',
    'Distinct users counted exactly per group; above it a sketch, marked ≈.',
  ),
  facetValuesMax: limit(200, 'count', 'Values kept per group and tag key; others are counted as “other”.'),
  facetKeysMax: limit(60, 'count', 'Tag keys kept per group; others are found in the events alone.'),
  issuesPerChangeMax: limit(1_000, 'count', 'Issues that one bulk change may name.'),
  issueNewDays: limit(7, 'days', 'A new issue reads as ongoing after so long.'),
  routesPerGroupMax: limit(50, 'count', 'Routes counted apart per group; the rest are in the events.'),
  sqliteBusyTimeoutMs: limit(5_000, 'ms', 'Waiting for another process that writes the control store.'),
  sqliteStatementsMax: limit(400, 'count', 'Prepared statements kept per connection; the oldest go first.'),
  facetValuesPerProjectMax: limit(1_000, 'count', 'Values suggested per project and tag key.'),
  facetKeysPerProjectMax: limit(300, 'count', 'Tag keys suggested per project.'),
  outcomeRowsPerBucketMax: limit(
    1_000,
    'count',
    'Reasons and categories apart per project and 15 minutes; SDKs choose them freely.',
  ),
  outcomeDaysMax: limit(90, 'days', 'Outcomes are kept as long as events.'),
  trendBucketsMax: limit(2_160, 'count', 'Points of one trend: 90 days of hours.'),
  teamsPerOrgMax: limit(500, 'count', 'A list that is read whole.'),
  tokensPerOrgMax: limit(500, 'count', 'A list that is read whole.'),
  sessionsPerUserMax: limit(100, 'count', 'The oldest session ends when one more begins.'),
  commentCharsMax: limit(10_000, 'chars', 'A comment on an issue.'),
  hourBucketsDaysMax: limit(90, 'days', 'Counts per hour are kept as long as events are.'),
  // Journal and commit.
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
  journalBacklogBytesMax: limit(8 * 1024 * MIB, 'bytes', 'Unprocessed bytes; beyond it ingest answers 503.'),
  journalSyncBytesMax: limit(4 * MIB, 'bytes', 'Bytes written per group commit.'),
  outcomeFlushMs: limit(250, 'ms', 'Refusals are counted in memory this long before they enter the journal.'),
  outcomeKeysMax: limit(
    2_000,
    'count',
    'Distinct refusals held between two flushes; the rest count as reason “other”.',
  ),
  batchEnvelopesMax: limit(1_000, 'count', 'Envelopes of one batch.'),
  batchBytesMax: limit(
    2.5 * MIB,
    'bytes',
    'Journal bytes of one batch; one larger envelope is a batch alone.',
  ),
  batchDelayMs: limit(50, 'ms', 'A part batch waits at most this long.'),
  batchesInFlightMax: limit(2, 'count', 'Batches at each worker: one in work, one waiting.'),
  workersMax: limit(2, 'count', 'Process threads; two serve two cores.'),
  processTriesMax: limit(3, 'count', 'An envelope that fails this often is quarantined.'),
  processTimeoutMs: limit(30_000, 'ms', 'A worker silent for so long is replaced.'),
  quarantineDaysMax: limit(7, 'days', 'Quarantined envelopes are kept this long.'),
  quarantineBytesMax: limit(256 * MIB, 'bytes', 'Quarantined envelopes together; the oldest go first.'),
  duplicateDays: limit(7, 'days', 'An event id is stored once within so many days.'),
  blockEventsMax: limit(128, 'count', 'Events of one payload block.'),
  blockBytesMax: limit(4 * MIB, 'bytes', 'Raw bytes of one payload block.'),
  eventIdRunMax: limit(262_144, 'count', 'Hashes of the newest run, held in memory.'),
  eventIdMemoryBytesMax: limit(
    256 * MIB,
    'bytes',
    'Sorted hashes of the duplicate days held in memory, 8 MB per million ids; the rest is read from disk.',
  ),
  // Stores.
  retentionDaysDefault: limit(90, 'days', 'Retention class of a new project; 30 and 365 exist too.'),
  duckdbMemoryMb: limit(384, 'MB', 'Memory of the column store.'),
  duckdbThreads: limit(1, 'count', 'More threads push acknowledgement latency.'),
  duckdbFilesOpenMax: limit(8, 'count', 'Column files attached at once.'),
  duckdbCheckpointMb: limit(
    128,
    'MB',
    'Log of a column file before it is folded in; the default stalls commits.',
  ),
  duckdbSpillMb: limit(1_024, 'MB', 'Disk that one large column query may spill to.'),
  telemetryInsertCharsMax: limit(
    4 * MIB,
    'chars',
    'Rows handed to the column store in one text; it needs several times as much to part them.',
  ),
  telemetryPageRowsMax: limit(1_000, 'count', 'Event rows of one page.'),
  telemetryQueriesWaitingMax: limit(1_000, 'count', 'Column queries waiting; beyond it 503.'),
  telemetryQueriesMax: limit(3, 'count', 'Column queries at once; others wait.'),
  queryTimeoutMs: limit(5_000, 'ms', 'A query that takes longer answers store_timeout.'),
  remoteCallsMax: limit(10_000, 'count', 'Calls waiting for another thread.'),
  payloadIndexBytesMax: limit(128 * MIB, 'bytes', 'All block indices together: 8 bytes an event.'),
  payloadCacheBytesMax: limit(16 * MIB, 'bytes', 'Unpacked blocks kept for the next event of the same one.'),
  payloadReadsMax: limit(4, 'count', 'Blocks read and unpacked at once; others wait.'),
  payloadIndexFilesMax: limit(32, 'count', 'Payload files whose block index is held in memory.'),
  // Rate limits.
  overloadedRetrySeconds: limit(
    15,
    'count',
    'Retry-After of a 503, in seconds: a full disk or backlog lasts.',
  ),
  rateWindowsMax: limit(100_000, 'count', 'Rate limit windows held in memory; ended ones go first.'),
  relayAddressesMax: limit(
    10_000,
    'count',
    'Client addresses of /monitoring remembered; the oldest go first.',
  ),
  retryAfterSecondsMax: limit(86_400, 'count', 'Seconds; some SDKs overflow above it.'),
  relayRequestsPerMinute: limit(6_000, 'count', 'Per client address at /monitoring.'),
  // Access.
  passwordCharsMin: limit(10, 'chars', 'Length is what makes a password strong.'),
  passwordCharsMax: limit(200, 'chars', 'Hashing cost is bounded.'),
  passwordHashesMax: limit(2, 'count', 'argon2id at once: 64 MiB each.'),
  passwordHashQueueMax: limit(64, 'count', 'Sign-ins waiting for a hash; beyond it 429.'),
  sessionDays: limit(30, 'days', 'A session ends.'),
  sessionIdleDays: limit(7, 'days', 'An unused session ends.'),
  signInTriesPerAddress: limit(20, 'count', 'Failed sign-ins per address in 15 minutes.'),
  signInTriesPerAccount: limit(10, 'count', 'Failed sign-ins per account in 15 minutes.'),
  signInWindowMs: limit(15 * 60_000, 'ms', 'Window of the two limits above.'),
  signInKeysMax: limit(10_000, 'count', 'Addresses and accounts remembered; the oldest go first.'),
  invitationDays: limit(7, 'days', 'An invitation or reset link ends.'),
  slugCharsMax: limit(50, 'chars', 'Slugs are read aloud.'),
  nameCharsMax: limit(100, 'chars', 'Names of organisations, projects, teams, keys, people.'),
  scrubKeysMax: limit(100, 'count', 'Extra scrubbing keys of a project.'),
  allowedDomainsMax: limit(100, 'count', 'Allowed domains of a project.'),
  projectsPerOrgMax: limit(1_000, 'count', 'A list that is read whole.'),
  keysPerProjectMax: limit(50, 'count', 'A list that is read whole.'),
  membersPerOrgMax: limit(1_000, 'count', 'A list that is read whole.'),
  // Screens and API.
  pageRowsDefault: limit(25, 'count', 'Rows of a list.'),
  pageRowsMax: limit(100, 'count', 'Rows of a list at most.'),
  searchCharsMax: limit(1_000, 'chars', 'A search line.'),
  searchTermsMax: limit(30, 'count', 'Terms of a search.'),
  groupsMatchingMax: limit(
    5_000,
    'count',
    'Groups a search may take from the events; beyond it people narrow it.',
  ),
  digestPasteCharsMax: limit(20_000, 'chars', 'A pasted error page.'),
  digestsPerPasteMax: limit(10, 'count', 'Digests looked up from one paste.'),
  failureRatePercentBad: limit(2, 'percent', 'From here a failure count is red.'),
  latencyMsWarn: limit(3_000, 'ms', 'From here a latency is amber.'),
  selfReportPerMinutePerDigest: limit(
    1,
    'count',
    'Errata records one of its own failures at most this often.',
  ),
  stopMsMax: limit(10_000, 'ms', 'From SIGTERM to exit.'),
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof LIMITS

/** The number alone: `max('eventBytesMax')`. */
export function max(name: LimitName): number {
  return LIMITS[name].value
}
