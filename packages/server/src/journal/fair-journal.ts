/**
 * The journal as two logs: a shared one, and an overflow for what a project sends beyond its share of it, so that a
 * flood waits in a row of its own and nobody else behind it (decision 017).
 *
 * ```
 *            ┌─ shared/   number c ─┐
 * append ────┤                      ├─ takeRange ─▶ seq = c + o ─▶ (workers, commit) ─▶ release, of its own log
 *            └─ overflow/ number o ─┘
 * ```
 *
 * A log's numbers are given at append and say nothing of the other. The order of everything is the order in which ranges
 * are taken: the seq of a record is its number and as many as the other log had been taken by then, which is why
 * `applied_seq` is always the sum of what is applied of each. The control store keeps `applied_overflow` beside it in the
 * same transaction; from both follows where each log is replayed from, in whatever order they are taken then.
 */
import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { type Seq, seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { JournalRange, JournalRecord } from '#model/record.ts'
import { FloodPace, type PacedRange } from './flood-pace.ts'
import { WaitingShares } from './waiting-shares.ts'
import { type Journal, type JournalOptions, openJournal } from './writer.ts'

export interface FairJournalOptions extends JournalOptions {
  /** Part of `appliedSeq` that came from the overflow. */
  readonly appliedOverflow: number
  /** Envelopes of a project in the shared log; default `journalShareRecords` of the limits. */
  readonly shareRecords?: number
}

/** Returns where the overflow lies, below the journal's own directory. */
export const overflowPath = (journal: string): string => join(journal, 'overflow')

export async function openFairJournal({
  appliedOverflow,
  shareRecords = max('journalShareRecords'),
  ...options
}: FairJournalOptions): Promise<Journal> {
  const most = options.backlogBytesMax ?? max('journalBacklogBytesMax')
  const overflowBytes = Math.floor(most * OVERFLOW_PART)
  const shared = await openJournal({
    ...options,
    appliedSeq: seq(options.appliedSeq - appliedOverflow),
    backlogBytesMax: most - overflowBytes,
  })
  const overflow = await openJournal({
    ...options,
    directory: overflowPath(options.directory),
    appliedSeq: seq(appliedOverflow),
    backlogBytesMax: overflowBytes,
  })
  return new FairJournal({ shared, overflow }, { clock: options.clock, shareRecords })
}

/**
 * Share of what may wait that the overflow may take: the rest is everybody's, however full the overflow is.
 */
const OVERFLOW_PART = 0.75

type LogName = 'shared' | 'overflow'

/** A log as it is taken from. */
interface Log {
  readonly journal: Journal
  /** The last number that was taken. */
  taken: number
}

interface TakenRange extends PacedRange {
  readonly range: JournalRange
}

class FairJournal implements Journal {
  readonly #logs: Readonly<Record<LogName, Log>>
  readonly #clock: Clock
  readonly #shares: WaitingShares
  readonly #pace: FloodPace
  /** Taken and not released, in the order of their seqs. */
  readonly #ranges: TakenRange[] = []
  #sharedTakenMs = Number.NEGATIVE_INFINITY
  /** Ranges taken from the shared log since the overflow had its turn. */
  #turns = 0

  constructor(
    journals: Readonly<Record<LogName, Journal>>,
    { clock, shareRecords }: { readonly clock: Clock; readonly shareRecords: number },
  ) {
    this.#clock = clock
    this.#shares = new WaitingShares(shareRecords, clock)
    this.#pace = new FloodPace(clock)
    this.#logs = {
      shared: { journal: journals.shared, taken: journals.shared.releasedUpTo() },
      overflow: { journal: journals.overflow, taken: journals.overflow.releasedUpTo() },
    }
  }

  append(record: JournalRecord): Promise<Seq> {
    const { shared, overflow } = this.#logs
    if (record.type !== 'envelope') return shared.journal.append(record)
    const { projectId, body } = record
    if (this.#shares.goesToOverflow(projectId, body.length)) {
      const number = overflow.journal.append(record)
      this.#shares.inOverflow(projectId, number)
      return number
    }
    const number = shared.journal.append(record)
    this.#shares.inShared(record, number)
    return number
  }

  /** Takes a range to process: the log of all first, even a batch that is not full; the overflow at least every few turns. */
  takeRange(envelopesMax: number, bytesMax: number, fill: 'any' | 'full' = 'any'): JournalRange | null {
    const isFlood = this.#waits('overflow')
    if (isFlood && this.#turns >= SHARED_TURNS) {
      const range = this.#take('overflow', [envelopesMax, bytesMax, fill])
      if (range !== null) return range
    }
    const shared = this.#take('shared', [envelopesMax, bytesMax, isFlood ? this.#fillBeside() : fill])
    if (shared !== null || !isFlood) return shared
    const flood = this.#take('overflow', [this.#floodEnvelopes(envelopesMax), bytesMax, fill])
    return flood ?? this.#take('shared', [envelopesMax, bytesMax, fill])
  }

  onSynced(listener: () => void): void {
    for (const { journal } of this.#both()) journal.onSynced(listener)
  }

  release(upTo: Seq): void {
    const whole: PacedRange[] = []
    for (const taken of this.#ranges) {
      if (taken.range.firstSeq > upTo) break
      this.#releaseOf(taken.range, upTo)
      if (taken.range.lastSeq <= upTo) whole.push(taken)
    }
    this.#ranges.splice(0, whole.length)
    this.#pace.released(whole)
  }

  releasedUpTo(): Seq {
    const [shared, overflow] = this.#both()
    return seq(shared.journal.releasedUpTo() + overflow.journal.releasedUpTo())
  }

  giveUp(file: string): void {
    for (const { journal } of this.#both()) journal.giveUp(file)
  }

  backlog(): { readonly bytes: number; readonly records: number; readonly oldestMs: number } {
    const [one, other] = this.#both().map(({ journal }) => journal.backlog())
    return {
      bytes: (one?.bytes ?? 0) + (other?.bytes ?? 0),
      records: (one?.records ?? 0) + (other?.records ?? 0),
      oldestMs: Math.max(one?.oldestMs ?? 0, other?.oldestMs ?? 0),
    }
  }

  failing(): string | null {
    const [shared, overflow] = this.#both()
    return shared.journal.failing() ?? overflow.journal.failing()
  }

  damage(): { readonly gaps: number; readonly bytes: number } {
    const [shared, overflow] = this.#both()
    const [one, other] = [shared.journal.damage(), overflow.journal.damage()]
    return { gaps: one.gaps + other.gaps, bytes: one.bytes + other.bytes }
  }

  async recovered(): Promise<void> {
    await Promise.all(this.#both().map(({ journal }) => journal.recovered()))
  }

  async close(): Promise<void> {
    await Promise.all(this.#both().map(({ journal }) => journal.close()))
  }

  #releaseOf({ lastSeq, shift = 0, isOverflow }: JournalRange, upTo: Seq): void {
    const number = Math.min(upTo, lastSeq) - shift
    this.#logs[isOverflow === true ? 'overflow' : 'shared'].journal.release(seq(number))
    if (isOverflow === true) this.#shares.releaseOverflow(number)
    else this.#shares.releaseShared(number)
  }

  #both(): readonly [Log, Log] {
    return [this.#logs.shared, this.#logs.overflow]
  }

  #waits(name: LogName): boolean {
    return this.#logs[name].journal.backlog().records > 0
  }

  /** Beside a flood a part batch of everybody waits for company a while, and not until the flood leaves room. */
  #fillBeside(): 'any' | 'full' {
    return this.#clock.elapsed() - this.#sharedTakenMs >= max('journalBesideMs') ? 'any' : 'full'
  }

  /**
   * Whoever comes next waits for what is in work: while there is anybody, no more of it than is done in time. Who floods
   * is nobody else: the first of a flood go to the shared log, and alone it would pay for five times as many commits.
   */
  #floodEnvelopes(envelopesMax: number): number {
    if (!this.#shares.othersSentWithin(BUSY_MS)) return envelopesMax
    const inWork = this.#ranges.reduce((sum, { envelopes }) => sum + envelopes, 0)
    const inTime = Math.floor(this.#pace.envelopesWithin(max('journalInWorkMs')) - inWork)
    return Math.min(envelopesMax, Math.max(max('journalBesideEnvelopesMin'), inTime))
  }

  #take(name: LogName, [envelopesMax, bytesMax, fill]: TakeBounds): JournalRange | null {
    const log = this.#logs[name]
    const found = log.journal.takeRange(envelopesMax, bytesMax, fill)
    if (found === null) return null
    const shift = this.#logs[name === 'shared' ? 'overflow' : 'shared'].taken
    log.taken = found.lastSeq
    if (name === 'shared') this.#sharedTakenMs = this.#clock.elapsed()
    this.#turns = name === 'shared' ? this.#turns + 1 : 0
    const range = {
      ...found,
      firstSeq: seq(found.firstSeq + shift),
      lastSeq: seq(found.lastSeq + shift),
      ...(shift > 0 && { shift }),
      ...(name === 'overflow' && ({ isOverflow: true } as const)),
    }
    const envelopes = range.lastSeq - range.firstSeq + 1
    this.#ranges.push({ range, envelopes, taken: this.#pace.mark() })
    return range
  }
}

type TakeBounds = readonly [envelopesMax: number, bytesMax: number, fill: 'any' | 'full']

/** Full ranges of everybody that go before the overflow has one. */
const SHARED_TURNS = 3
/** Somebody beside the flood sent something so recently. */
const BUSY_MS = 10_000
