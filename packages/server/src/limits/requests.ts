/** Bounds of what a request may cost before accept sees it. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const REQUEST_LIMITS = {
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
  inflationsMax: limit(4, 'count', 'Large bodies inflated at a time, within inflatedBytesInFlightMax.'),
  inflatedBytesInFlightMax: limit(
    128 * MIB,
    'bytes',
    'What large bodies inflated at a time may come to together; a coding that does not say its size counts whole.',
  ),
  inflationQueueMax: limit(
    256,
    'count',
    'Large bodies waiting to be inflated, a quarter of them of one sender; beyond it 503. Who used least time of late is next.',
  ),
  inflationOffencesMax: limit(
    3,
    'count',
    'Bodies of a key and an address that came to nothing, within inflationRefusedMs; then compressed ones are 429.',
  ),
  inflationWasteBytesMin: limit(
    16 * MIB,
    'bytes',
    'What came to nothing counts as such from so many on, inflated: an app may well send an event that is too large.',
  ),
  inflationRefusedMs: limit(
    60_000,
    'ms',
    'So long after the last of them compressed bodies are refused unread.',
  ),
  inflationSendersMax: limit(
    10_000,
    'count',
    'Keys and addresses whose inflating is remembered; the oldest go first.',
  ),
  bodiesInFlightBytesMax: limit(
    96 * MIB,
    'bytes',
    'Bodies held in memory by all requests together; beyond it the largest that is not whole yet is refused.',
  ),
  bodiesLookMs: limit(
    100,
    'ms',
    'How often a thread with more than its share of them looks whether all together are beyond that bound.',
  ),
  formBytesMax: limit(256 * KIB, 'bytes', 'An action or API body is a form, not a file.'),
  longFormBytesMax: limit(
    MIB,
    'bytes',
    'The form with a CODEOWNERS file, encoded; held only for who shows a session.',
  ),
  requestMemoMax: limit(
    1_000,
    'count',
    'Addresses and authentications remembered as read: an SDK sends the same with every envelope.',
  ),
  requestMemoCharsMax: limit(512, 'chars', 'A longer address or authentication is read each time.'),
  lostBytesReadMax: limit(
    256 * KIB,
    'bytes',
    'Of a refused envelope, to tell what was lost: its headers stand at its beginning.',
  ),
  lostPackedBytesReadMax: limit(
    4 * KIB,
    'bytes',
    'Of a refused envelope that is compressed: unpacked on the thread that accepts.',
  ),
  signalJsonBytesMax: limit(
    256 * KIB,
    'bytes',
    'Of a browser’s reports and of logs or metrics over OTLP as JSON: beyond it a body is counted as one report, or by a key that each record has, because it would be parsed on the thread that accepts.',
  ),
  peersRememberedMax: limit(10_000, 'count', 'Socket addresses remembered as read; then all are forgotten.'),
  headerTimeoutMs: limit(15_000, 'ms', 'A client that does not finish its headers holds a socket.'),
  bodyTimeoutMs: limit(30_000, 'ms', 'A client that does not finish its body holds memory.'),
  slowBodyBytesMin: limit(
    128 * KIB,
    'bytes',
    'An envelope above 1 MiB goes on beyond that time while so much comes in each further such time; attachments lie on the disk.',
  ),
  slowBodyMsMax: limit(
    1_200_000,
    'ms',
    'From the beginning of such an envelope to its end; a slow one gives way where another large one has no room.',
  ),
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
  connectionsSilentMax: limit(
    512,
    'count',
    'Open sockets that have not sent one whole header; one more closes the oldest of them.',
  ),
  connectionsSilentGraceMs: limit(
    1_000,
    'ms',
    'So long none of them is closed: a thousand clients that come at once are read one after the other.',
  ),
  connectionsSilentBurstMax: limit(4_096, 'count', 'More than so many are closed at once, however young.'),
  connectionsQueuedMax: limit(
    2_048,
    'count',
    'Connections the kernel holds until they are taken; one that finds no room is tried again a second later.',
  ),
  connectionsMax: limit(10_000, 'count', 'Open sockets; the default descriptor limit is above it.'),
  connectionsCrowdedFrom: limit(
    8_000,
    'count',
    'Open sockets beyond which a new one takes the place of the least used of the address that has most.',
  ),
  connectionsPerAddressMin: limit(64, 'count', 'An address that has no more loses none; nor does a proxy.'),
  pipelinedRequestsMax: limit(
    64,
    'count',
    'Requests of one connection that wait for the answers before them; with more, it is not read until half are answered. Tools that do this send 16.',
  ),
  pipelinedRequestsAtOnceMax: limit(
    1_024,
    'count',
    'The same with what came along in one read; one more closes the connection: no client sends so many so short ones.',
  ),
  pipelinedRequestsOfAllMax: limit(
    16_384,
    'count',
    'Requests beyond the first of these bounds, of all connections; one more closes its connection.',
  ),
  connectionStillMs: limit(
    120_000,
    'ms',
    'A connection over which nothing moves for so long is closed, whether or not an answer waits to be read.',
  ),
  cheapAnswersPerSecond: limit(
    200,
    'count',
    'Refusals, preflights and the like that one address has at once; further ones wait for pagesRefusalMs.',
  ),
  healthKeptMs: limit(200, 'ms', 'An answer of /health is given again for so long.'),
  healthAnswersPerSecond: limit(
    50,
    'count',
    'Answers of /health that one address has at once; further ones wait for pagesRefusalMs. Whoever watches asks once a second.',
  ),
  metricsTokenCharsMax: limit(500, 'chars', 'What --metrics-token may be, and what is compared with it.'),
} satisfies Readonly<Record<string, Limit>>
