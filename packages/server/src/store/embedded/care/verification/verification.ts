/**
 * Everything that is stored, read round and round at a slow pace and compared with its checksums, so that damage is
 * known before somebody needs what is damaged. A round takes a day, or as long as the data needs at the pace.
 *
 * ```
 * start ─▶ look ─▶ round: control store, then file by file, the newest first ─▶ rest until a day is over ─▶ round …
 *           └── every minute, also within a round: what is missing, what was deleted, what may be mended ──┘
 * ```
 */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Damage, DamageCode, KnownDamage } from '#model/damage.ts'
import { byNewest, type FileName, fileStem, isSameFile, readFileStem } from '#model/file-name.ts'
import type { MissingFiles } from '#ports/care.ts'
import type { ColumnCare } from '../stores/columns.ts'
import type { VerifyControl } from '../stores/control.ts'
import type { PayloadCare } from '../stores/payloads.ts'
import type { VerifyFiles } from '../stores/verify-files.ts'
import { Damages } from './damages.ts'
import { type KeptRound, NOTHING_KEPT, readKeptState, writeKeptState } from './kept-state.ts'
import { type FileDamageCode, reasonOf, verifyFile } from './verify-file.ts'

/** The control store, open until it is closed. */
export interface OpenedControl {
  readonly control: VerifyControl
  close(): Promise<void>
}

export interface VerificationParts {
  /** The data directory, where the state is kept. */
  readonly data: string
  readonly columns: VerifyFiles & Pick<ColumnCare, 'fileBytes'>
  readonly payloads: VerifyFiles & Pick<PayloadCare, 'fileBytes'>
  readonly missing: () => Promise<MissingFiles>
  readonly openControl: () => Promise<OpenedControl>
  readonly clock: Clock
  readonly log: Log
  /** Rejects once `signal` is aborted. Default: the machine's timer. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Progress of the round, for /system. */
export type VerificationProgress = Omit<KeptRound, 'doneTo'> & {
  readonly filesDone: number
  readonly files: number
}

export class Verification {
  readonly #parts: VerificationParts
  readonly #damages: Damages
  readonly #closing = new AbortController()
  #round: KeptRound = NOTHING_KEPT.round
  #filesDone = 0
  #files = 0
  #running: Promise<void> = Promise.resolve()
  #saving: Promise<void> = Promise.resolve()
  #isLooking = false
  #nextLookMs = 0
  #nextAgainMs = 0
  #isControlDue = false

  constructor(parts: VerificationParts) {
    this.#parts = parts
    this.#damages = new Damages({ ...parts, onChange: () => this.#save() })
  }

  /** Returns known damage, oldest first. */
  damages(): readonly KnownDamage[] {
    return this.#damages.all()
  }

  progress(): VerificationProgress {
    const { begunMs, endedMs } = this.#round
    return { begunMs, endedMs, filesDone: this.#filesDone, files: this.#files }
  }

  /** Notes damage that an ordinary read met. */
  note(damage: Damage): void {
    this.#damages.note(damage)
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Ends what runs, between two steps. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#saving
  }

  async #run(): Promise<void> {
    const kept = await readKeptState(this.#parts.data)
    this.#damages.restore(kept.damages)
    this.#round = kept.round
    while (!this.#closing.signal.aborted) {
      try {
        await this.#look()
        await this.#rest(max('verifyLookMs'))
        if (this.#msToRound() === 0) await this.#goRound()
      } catch (cause) {
        if (this.#closing.signal.aborted) return
        this.#parts.log.warn('verification was cut short and goes on later', { reason: reasonOf(cause) })
        await this.#rest(max('verifyLookMs')).catch(() => {}) // closed: the loop ends
      }
    }
  }

  /** Until the next round, or the rest of one that was cut short, is due. */
  #msToRound(): number {
    const { begunMs, endedMs } = this.#round
    if (begunMs === null || endedMs === null || endedMs < begunMs) return 0
    const leftMs = begunMs + max('verifyRoundMs') - this.#parts.clock.now()
    // A clock that was set back must not leave the files alone for longer.
    return Math.min(Math.max(0, leftMs), max('verifyRoundMs'))
  }

  async #goRound(): Promise<void> {
    const { clock } = this.#parts
    const doneTo = this.#round.doneTo === null ? null : readFileStem(this.#round.doneTo)
    if (doneTo === null) this.#round = { ...this.#round, begunMs: clock.now(), doneTo: null }
    this.#isControlDue = true
    await this.#look()
    const files = await this.#present()
    this.#files = files.length
    this.#filesDone = 0
    for (const file of files) {
      this.#filesDone++
      if (doneTo !== null && byNewest(file, doneTo) <= 0) continue
      await this.#verifyPayloads(file)
      await this.#verifyColumns(file)
      this.#round = { ...this.#round, doneTo: fileStem(file) }
      this.#save()
    }
    this.#round = { ...this.#round, endedMs: Math.max(clock.now(), this.#round.begunMs ?? 0), doneTo: null }
    this.#save()
  }

  /** Every file that has at least one side, newest first. */
  async #present(): Promise<readonly FileName[]> {
    const { columns, payloads } = this.#parts
    const sides = [...(await columns.fileBytes()), ...(await payloads.fileBytes())]
    const byStem = new Map(sides.map(({ file }) => [fileStem(file), file]))
    return [...byStem.values()].sort(byNewest)
  }

  /** Checks what needs no reading of files, and from time to time checks damaged files again. */
  async #look(): Promise<void> {
    this.#isLooking = true
    try {
      await this.#lookForMissing()
      await this.#forgetDeleted()
      if (this.#isControlDue) await this.#verifyControl()
      const { clock } = this.#parts
      if (clock.elapsed() < this.#nextAgainMs) return
      await this.#verifyAgain()
      this.#nextAgainMs = clock.elapsed() + max('verifyAgainMs')
    } finally {
      this.#nextLookMs = this.#parts.clock.elapsed() + max('verifyLookMs')
      this.#isLooking = false
    }
  }

  async #lookForMissing(): Promise<void> {
    const { missingColumns, missingPayloads } = await this.#parts.missing()
    const found = [
      ...missingColumns.map((file): Damage => ({ code: 'columns_missing', file, detail: '' })),
      ...missingPayloads.map((file): Damage => ({ code: 'payloads_missing', file, detail: '' })),
    ]
    const present = await this.#present()
    const isMissing = hasCode('columns_missing', 'payloads_missing')
    const isGone = ({ file }: Damage) => file !== null && !present.some((other) => isSameFile(other, file))
    // Whose other side is gone as well: removed, or a day that the control store still names.
    if (this.damages().some((damage) => isMissing(damage) && isGone(damage))) this.#isControlDue = true
    this.#damages.settle(isMissing, found)
  }

  /** A file that is gone is not damaged any more. */
  async #forgetDeleted(): Promise<void> {
    for (const [code, files] of [
      ['payloads_damaged', await this.#parts.payloads.fileBytes()],
      ['columns_unreadable', await this.#parts.columns.fileBytes()],
    ] as const) {
      const isThere = (damage: Damage) =>
        files.some(({ file }) => damage.file !== null && isSameFile(file, damage.file))
      this.#damages.settle((damage) => damage.code === code && !isThere(damage), [])
    }
  }

  async #verifyAgain(): Promise<void> {
    for (const { code, file } of this.damages()) {
      if (file === null || code === 'day_missing') this.#isControlDue = true
      else if (code === 'payloads_damaged') await this.#verifyPayloads(file)
      else if (code === 'columns_unreadable') await this.#verifyColumns(file)
    }
    if (this.#isControlDue) await this.#verifyControl()
  }

  async #verifyPayloads(file: FileName): Promise<void> {
    await this.#verify(this.#parts.payloads, file, 'payloads_damaged')
  }

  async #verifyColumns(file: FileName): Promise<void> {
    await this.#verify(this.#parts.columns, file, 'columns_unreadable')
  }

  async #verify(store: VerifyFiles, file: FileName, code: FileDamageCode): Promise<void> {
    const found = await verifyFile(store, { file, code }, (bytes) => this.#pace(bytes))
    this.#refuseWhenClosed()
    if (found === null) return
    const isMeant = (damage: Damage) =>
      damage.code === code && damage.file !== null && isSameFile(damage.file, file)
    // One that could not be understood was set aside by the read that failed: then it is missing.
    if (found.length > 0 && code === 'columns_unreadable') await this.#lookForMissing()
    const isMissing = this.damages().some(
      (damage) => damage.code === 'columns_missing' && damage.file !== null && isSameFile(damage.file, file),
    )
    this.#damages.settle(isMeant, code === 'columns_unreadable' && isMissing ? [] : found)
  }

  /** Table by table, with a rest after each that is as long as the work was. */
  async #verifyControl(): Promise<void> {
    const opened = await this.#parts.openControl()
    try {
      const problems: string[] = []
      for (const table of await opened.control.tables())
        problems.push(...(await this.#verifyTable(opened, table)))
      const detail = problems.slice(0, SENTENCES_MAX).join('; ')
      const found: readonly Damage[] =
        problems.length === 0 ? [] : [{ code: 'control_damaged', file: null, detail }]
      this.#damages.settle(hasCode('control_damaged'), found)
      await this.#lookForDays(opened.control)
      this.#isControlDue = false
    } catch (cause) {
      if (!isDamaged(cause)) throw cause
      this.#damages.note({ code: 'control_damaged', file: null, detail: reasonOf(cause) })
      this.#isControlDue = false
    } finally {
      await opened.close()
    }
  }

  async #verifyTable({ control }: OpenedControl, table: string): Promise<readonly string[]> {
    const { clock } = this.#parts
    const begunMs = clock.elapsed()
    try {
      return await control.verifyTable(table)
    } catch (cause) {
      if (!isDamaged(cause)) throw cause
      return [reasonOf(cause)]
    } finally {
      await this.#rest(clock.elapsed() - begunMs)
    }
  }

  /** Days of which the control store says that groups have events there, and of which there is no file. */
  async #lookForDays(control: VerifyControl): Promise<void> {
    // The names first: what is committed meanwhile is on the disk before it is named.
    const gone = async () => {
      const named = await control.namedFiles()
      const present = new Set((await this.#present()).map(fileStem))
      return named.filter((file) => !present.has(fileStem(file)))
    }
    const first = await gone()
    // What retention removes is forgotten before it is removed: asked again, it is not named.
    const second = first.length === 0 ? [] : await gone()
    const found = second.filter((file) => first.some((other) => isSameFile(file, other)))
    this.#damages.settle(
      hasCode('day_missing'),
      found.map((file) => ({ code: 'day_missing', file, detail: '' })),
    )
  }

  /** After a step that read so many bytes: rests until the pace is kept, and looks where that is due. */
  async #pace(bytes: number): Promise<void> {
    await this.#rest((bytes / max('verifyBytesPerSecond')) * 1_000)
    if (!this.#isLooking && this.#parts.clock.elapsed() >= this.#nextLookMs) await this.#look()
  }

  async #rest(ms: number): Promise<void> {
    const { rest = restFor } = this.#parts
    this.#refuseWhenClosed()
    await rest(ms, this.#closing.signal)
    this.#refuseWhenClosed()
  }

  #refuseWhenClosed(): void {
    if (this.#closing.signal.aborted) throw new ErrataError('stopping', 'verification ends with the server')
  }

  /** Saves one write after the other; what cannot be kept is found again. */
  #save(): void {
    const { data, log } = this.#parts
    this.#saving = this.#saving
      .then(() => writeKeptState(data, { damages: this.damages(), round: this.#round }))
      .catch((cause: unknown) =>
        log.warn('the state of verification is not kept', { reason: reasonOf(cause) }),
      )
  }
}

const SENTENCES_MAX = 3

async function restFor(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false })
}

function hasCode(...codes: readonly DamageCode[]): (damage: Damage) => boolean {
  return ({ code }) => codes.includes(code)
}

/** SQLite says so of the control store. */
function isDamaged(cause: unknown): boolean {
  return cause instanceof ErrataError && cause.code === 'store_damaged'
}
