/**
 * The first beat of one build, in a thread of its own: bundled from the tree that is measured, whose modules stand where
 * these imports point. It takes bodies as the HTTP layer hands them over and writes a journal.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { createAccept } from '../../packages/server/src/accept/accept.ts'
import type { AcceptRequest } from '../../packages/server/src/accept/types.ts'
import { type Clock, systemClock } from '../../packages/server/src/base/clock.ts'
import { seq } from '../../packages/server/src/base/ids.ts'
import { silentLog as log } from '../../packages/server/src/base/log.ts'
import { type Random, systemRandom } from '../../packages/server/src/base/random.ts'
import { openJournal } from '../../packages/server/src/journal/writer.ts'
import type { AcceptAnswerOfThread, AcceptChunk, AcceptStart } from './messages.ts'

/** Connections at once, as many as the benchmark's load has. */
const AT_ONCE = 32
const RANGE_BYTES_MAX = 16e6

/** Bytes of a chunk at most: both builds write the same records. */
let nowMs = Date.now()
const clock: Clock = { ...systemClock, now: () => nowMs }
/** Ids of envelopes that bring none. */
let ids = 0
const random: Random = { ...systemRandom, hex: (bytes) => (++ids).toString(16).padStart(2 * bytes, '0') }
const { journalDirectory, directory, key, projectId } = workerData as AcceptStart // given by `Side`
// A file that ends by its age ends elsewhere in each build, and a batch with it.
const journal = await openJournal({
  ...{ directory: journalDirectory, clock, appliedSeq: seq(0), log },
  fileAgeMs: Number.MAX_SAFE_INTEGER,
})
await journal.recovered()
/** Nothing that is sent here has attachments. */
const none = () => Promise.reject(new Error('no attachment is measured'))
const blobs = {
  ...{ begin: none, read: none, bytes: none, remove: none, removeArea: none, areas: async () => [] },
  async *list() {},
}
const accept = createAccept({ journal, directory, blobs, clock, random, log })
const described: Omit<AcceptRequest, 'body'> = {
  projectRef: projectId,
  format: 'envelope',
  query: new URLSearchParams({ sentry_version: '7', sentry_key: key, sentry_client: 'sentry.javascript/11' }),
  ...{ sentryAuth: null, authorization: null, contentEncoding: 'gzip', contentType: null },
  ...{
    origin: null,
    referer: null,
    userAgent: 'sentry.javascript/11',
    clientAddress: '203.0.113.9',
    relay: null,
  },
}

parentPort?.on('message', (chunk: AcceptChunk) => void take(chunk))

async function take({ bodies, atMs }: AcceptChunk): Promise<void> {
  nowMs = atMs
  const before = process.threadCpuUsage()
  let next = 0
  let refused = 0
  const lane = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const request = { ...described, body }
      // As the HTTP layer does it. A build from before bodies were refused unread has no such step.
      const unread = accept.refuseUnread?.(request, body.length) ?? null
      const { error } = await accept.accept(request, unread?.seen)
      if (error !== null) refused++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const { user, system } = process.threadCpuUsage(before)
  const ranges = []
  for (;;) {
    const range = journal.takeRange(bodies.length, RANGE_BYTES_MAX)
    if (range === null) break
    ranges.push(range)
  }
  parentPort?.postMessage({ micros: user + system, refused, ranges } satisfies AcceptAnswerOfThread)
}
