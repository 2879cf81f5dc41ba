/**
 * Both builds in one process, chunks in turn: what else runs on the machine, and how fast that is at the moment, meets
 * both alike. Forked with the flags of the product, because V8's are those of a process.
 */
import { createHash } from 'node:crypto'
import type { JournalRange } from '../../packages/server/src/model/record.ts'
import { corpusEvent, envelopeOf, gzipped } from '../corpus/corpus.ts'
import { medianOf } from '../load/latencies.ts'
import { capturedBodies } from './captured.ts'
import {
  type AcceptChunk,
  type PairResult,
  type PairTask,
  STEPS,
  type Step,
  type StepPair,
} from './messages.ts'
import { type Packed, Side } from './side.ts'

const CHUNK = 256
/**
 * Bytes of the head's length. A packed batch is the length of the head, the head, and the rest from where
 * eight bytes begin.
 */
const LENGTH_BYTES = 4
const ALIGNED = 8

process.once('message', (task: PairTask) => {
  void measure(task).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (cause: unknown) => process.send?.({ error: String(cause) }, () => process.exit(1)),
  )
})

type Micros = Record<Step, number>
/** Thread CPU of the same chunk in both. */
interface ChunkPair {
  readonly base: Micros
  readonly own: Micros
  readonly isSame: boolean
}

async function measure({ base, own, corpus, events }: PairTask): Promise<PairResult> {
  const sides = { base: await Side.start(base), own: await Side.start(own) }
  let sent = 0
  const chunksOf = async (count: number): Promise<ChunkPair[]> => {
    const done: ChunkPair[] = []
    for (let left = count; left > 0; left -= CHUNK) {
      done.push(await oneChunk(sides, chunkOf(corpus, sent), done.length % 2 === 1))
      sent += CHUNK
    }
    return done
  }
  const cold = await chunksOf(events.fresh)
  // Behind the fresh ones, which are to meet a process that has compiled nothing yet.
  const captured = await oneChunk(
    sides,
    { bodies: capturedBodies(), atMs: Date.now(), mayBeRefused: true },
    false,
  )
  await chunksOf(events.warmUp)
  for (const side of Object.values(sides)) side.watchAllocation()
  const warm = await chunksOf(events.measured)
  const steps = {} as Record<Step, StepPair> // every one is set below
  for (const step of STEPS) {
    const allocated = [await sides.base.allocated(step), await sides.own.allocated(step)] as const
    const each = (bytes: number | null) => (bytes === null ? null : bytes / (warm.length * CHUNK))
    steps[step] = { ...stepPair(step, warm, cold), allocated: [each(allocated[0]), each(allocated[1])] }
  }
  await Promise.all(Object.values(sides).map((side) => side.close()))
  return {
    steps,
    together: { ratio: medianOf(warm.map(ratioOfAll)), freshRatio: sumRatio(cold, STEPS) },
    chunks: warm.length + cold.length,
    isCapturedSame: captured.isSame,
    sameBatches: [...cold, ...warm].filter(({ isSame }) => isSame).length,
  }
}

function chunkOf(corpus: PairTask['corpus'], first: number): AcceptChunk {
  const atMs = Date.now()
  const bodies = Array.from({ length: CHUNK }, (_, at) => {
    const event = corpusEvent(corpus, first + at, atMs + at)
    return gzipped(envelopeOf(corpus, event, atMs + at))
  })
  return { bodies, atMs: atMs + CHUNK }
}

type Sides = { readonly base: Side; readonly own: Side }

async function oneChunk(sides: Sides, chunk: AcceptChunk, isTurned: boolean): Promise<ChunkPair> {
  const inTurn = async <T>(work: (which: keyof Sides) => Promise<T>): Promise<Record<keyof Sides, T>> => {
    if (!isTurned) return { base: await work('base'), own: await work('own') }
    const own = await work('own')
    return { base: await work('base'), own }
  }
  const accepted = await inTurn((which) => sides[which].accept(chunk))
  const processed = await inTurn((which) => processAll(sides[which], accepted[which].ranges))
  const committed = await inTurn((which) => commitAll(sides[which], processed[which].batches))
  const microsOf = (which: keyof Sides): Micros => ({
    accept: accepted[which].micros,
    process: processed[which].micros,
    commit: committed[which],
  })
  const isSame = processed.base.hash === processed.own.hash
  return { base: microsOf('base'), own: microsOf('own'), isSame }
}

async function processAll(side: Side, ranges: readonly JournalRange[]) {
  const hash = createHash('sha256')
  const batches: Packed[] = []
  let micros = 0
  for (const range of ranges) {
    const done = await side.process(range)
    micros += done.micros
    hash.update(withoutPlace(done.packed.bytes))
    batches.push(done.packed)
  }
  return { batches, micros, hash: hash.digest('hex') }
}

/**
 * Removes the place of a batch in its build's own journal: groups of records are as large as a disk is slow.
 */
function withoutPlace(bytes: Uint8Array): Buffer {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headEnd = LENGTH_BYTES + all.readUInt32LE(0)
  const { range, ...head } = JSON.parse(all.toString('utf8', LENGTH_BYTES, headEnd)) as {
    range: JournalRange
  } // by `packBatch`
  const { file: _file, start: _start, end: _end, ...seqs } = range
  const behind = all.subarray(Math.ceil(headEnd / ALIGNED) * ALIGNED)
  return Buffer.concat([Buffer.from(JSON.stringify({ ...head, ...seqs })), behind])
}

async function commitAll(side: Side, batches: readonly Packed[]): Promise<number> {
  let micros = 0
  for (const packed of batches) micros += await side.commit(packed)
  return micros
}

function stepPair(
  step: Step,
  warm: readonly ChunkPair[],
  cold: readonly ChunkPair[],
): Omit<StepPair, 'allocated'> {
  const ratios = warm.map(({ base, own }) => own[step] / base[step]).sort((a, b) => a - b)
  const each = (chunks: readonly ChunkPair[], of: 'base' | 'own') =>
    medianOf(chunks.map((chunk) => chunk[of][step])) / CHUNK
  const sum = (of: 'base' | 'own') => cold.reduce((all, chunk) => all + chunk[of][step], 0)
  return {
    ratio: medianOf(ratios),
    quartiles: [at(ratios, 0.25), at(ratios, 0.75)],
    freshRatio: sumRatio(cold, [step]),
    micros: [each(warm, 'base'), each(warm, 'own')],
    freshMicros: [sum('base') / (cold.length * CHUNK), sum('own') / (cold.length * CHUNK)],
  }
}

function ratioOfAll(chunk: ChunkPair): number {
  return sumRatio([chunk], STEPS)
}

function sumRatio(chunks: readonly ChunkPair[], steps: readonly Step[]): number {
  const sum = (of: 'base' | 'own') =>
    chunks.reduce((all, chunk) => all + steps.reduce((some, step) => some + chunk[of][step], 0), 0)
  return sum('own') / sum('base')
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
