/**
 * `node scripts/with-node24.mjs benchmarks/attachments.ts [--no-build] [--rounds N]`: an envelope with an attachment of
 * 199 MiB, in turn with a file of the same bytes written and synced on the same disk. Prints how fast either is, what CPU
 * and memory the product takes for it, and how long small envelopes take alone and beside it. See README.md.
 */
import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { describeMachine, thisMachine } from './report/machine.ts'
import { findProduct } from './server/build.ts'
import { type RunningErrata, setUp, startErrata } from './server/errata.ts'
import { temporaryDirectory } from './server/temporary-directory.ts'
import { cpuMicros, memoryOf } from './server/usage.ts'

const MIB = 1024 * 1024
const PIECE = randomBytes(MIB)
const PIECES = 199
const SMALL_MS = 10
const usage = process.argv.slice(2)
const rounds = Number(usage[usage.indexOf('--rounds') + 1] ?? 0) || 5

await main()

async function main(): Promise<void> {
  const product = findProduct({ noBuild: usage.includes('--no-build'), directory: null })
  using directory = temporaryDirectory()
  const data = join(directory.path, 'data')
  const { projectId, key } = await setUp(product, data)
  await using errata = await startErrata({ product, data })
  const path = `/api/${projectId}/envelope/?sentry_key=${key}`
  await send(errata, path, 2)
  const alone = await whileSending(errata, path, () => pause(3_000))
  const rows = []
  for (let round = 0; round < rounds; round++) {
    const diskMs = await writeFile(join(directory.path, 'beside'))
    const before = { cpu: cpuMicros(errata.pid) ?? 0, memory: memoryOf(errata.pid)?.rss ?? 0 }
    const beside = await whileSending(errata, path, () => send(errata, path, PIECES))
    const after = { cpu: cpuMicros(errata.pid) ?? 0, peak: beside.memoryMax }
    rows.push({
      disk: Math.round((PIECES * 1_000) / diskMs),
      product: Math.round((PIECES * 1_000) / beside.ms),
      ratio: Number((diskMs / beside.ms).toFixed(2)),
      cpuMs: Math.round((after.cpu - before.cpu) / 1_000),
      moreMemoryMB: Math.round(after.peak - before.memory),
      p99Ms: Number(beside.p99.toFixed(1)),
    })
  }
  console.log(describeMachine(thisMachine()))
  console.log(`small envelopes alone: p99 ${alone.p99.toFixed(1)} ms`)
  console.table(rows)
  const median = rows.map(({ ratio }) => ratio).sort((a, b) => a - b)[Math.floor(rows.length / 2)]
  console.log(`median ratio to the disk: ${median} (goal: 0.8)`)
}

/** Returns the milliseconds that the same bytes take as a file, synced once at its end. */
async function writeFile(path: string): Promise<number> {
  const file = await open(path, 'w')
  const begun = performance.now()
  for (let at = 0; at < PIECES; at++) await file.write(PIECE, 0, MIB, at * MIB)
  await file.datasync()
  const ms = performance.now() - begun
  await file.close()
  await unlink(path)
  return ms
}

/** Sends an event with an attachment of so many MiB, as fast as it is taken. */
function send({ host, port }: RunningErrata, path: string, pieces: number): Promise<void> {
  const id = randomBytes(16).toString('hex')
  const event = `{"event_id":"${id}"}\n{"type":"event"}\n{"message":"with a file"}\n`
  const head = `${event}{"type":"attachment","length":${pieces * MIB},"filename":"${id}.bin"}\n`
  const headers = { 'content-length': head.length + pieces * MIB }
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path, method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`an envelope was answered ${answer.statusCode}`))
      })
    })
    asked.on('error', reject)
    asked.write(head)
    let left = pieces
    const more = () => {
      while (left > 0) {
        left--
        if (!asked.write(PIECE)) return void asked.once('drain', more)
      }
      asked.end()
    }
    more()
  })
}

/** Runs `work` beside small envelopes, one every ten milliseconds. */
async function whileSending(errata: RunningErrata, path: string, work: () => Promise<unknown>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const taken: number[] = []
  const waiting: Promise<void>[] = []
  let memoryMax = 0
  const timer = setInterval(() => {
    memoryMax = Math.max(memoryMax, memoryOf(errata.pid)?.rss ?? 0)
    waiting.push(sendSmall(errata, { path, agent }).then((ms) => void taken.push(ms)))
  }, SMALL_MS)
  const begun = performance.now()
  await work()
  const ms = performance.now() - begun
  clearInterval(timer)
  await Promise.all(waiting)
  agent.destroy()
  taken.sort((a, b) => a - b)
  return { ms, memoryMax, p99: taken[Math.floor(taken.length * 0.99)] ?? 0 }
}

function sendSmall(
  { host, port }: RunningErrata,
  { path, agent }: { readonly path: string; readonly agent: Agent },
): Promise<number> {
  const id = randomBytes(16).toString('hex')
  const body = `{"event_id":"${id}"}\n{"type":"event"}\n{"message":"small"}\n`
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path, agent, method: 'POST' }, (answer) => {
      answer.resume().on('end', () => resolve(performance.now() - begun))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
