/**
 * Decides who is let in when more comes than can be kept. Four gauges (bytes and age of the backlog, memory, free disk), each
 * with a soft and a hard limit. Beyond a soft one a capacity is shared out max–min fairly between projects and then
 * between their keys: whoever asks for less than the share never notices. Beyond a hard one nobody is let in. All of it
 * before anything is acknowledged; what was acknowledged is never dropped.
 *
 * ```
 * readings ─▶ gauges ─▶ worst state ─▶ ok: everybody │ soft: fair shares │ hard: nobody
 * envelopes ─▶ demand per key, ten seconds ────────────────────┘
 * ```
 */
import type { Clock } from '#base/clock.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { KeyWork } from '#model/key-work.ts'
import { DemandWindow } from './fair-share.ts'
import { FeltCapacity, UsualRate } from './felt-capacity.ts'
import { type GaugeLimits, type GaugeState, nextState, towardsHard } from './gauge.ts'
import { WorkWeights } from './work-weights.ts'

export const GAUGES = ['backlog', 'backlog_age', 'memory', 'disk'] as const
export type GaugeName = (typeof GAUGES)[number]

export const OVERLOAD_REASONS = ['overload_backlog', 'overload_memory', 'overload_disk'] as const
/** Scarce resource, as named in outcomes and X-Sentry-Rate-Limits. */
export type OverloadReason = (typeof OVERLOAD_REASONS)[number]

/** Bytes; `backlog_age` in milliseconds; `disk` is what is free. */
export type GaugeReadings = Readonly<Record<GaugeName, number>>

export interface GaugeView {
  readonly name: GaugeName
  readonly value: number
  readonly soft: number
  readonly hard: number
  readonly state: GaugeState
}

/** A key that sends more than its share. */
export interface HeldBackKey {
  readonly keyId: KeyId
  readonly projectId: ProjectId
  /** Bytes a second. */
  readonly asked: number
  readonly allowed: number
  /** Envelopes refused since it is held back. */
  readonly refused: number
}

export interface OverloadView {
  readonly gauges: readonly GaugeView[]
  /** The heaviest first; bounded. */
  readonly heldBack: readonly HeldBackKey[]
  /** How many there are, those beyond the bound included. */
  readonly heldBackKeys: number
}

export interface OverloadOptions {
  readonly clock: Clock
  readonly log: Log
  /** Memory of the machine or its control group, in bytes. */
  readonly memoryBytes: number
  readonly diskBytes: number
}

interface Gauge {
  readonly limits: GaugeLimits
  value: number
  state: GaugeState
  /**
   * Capacity while the gauge is beyond its soft limit; `null` for the backlog, whose capacity is what is
   * drained.
   */
  readonly felt: FeltCapacity | null
}

const SECOND_MS = 1_000
/** New rates weigh so much against older ones. */
const SMOOTHING = 0.3
/** Share of the drained rate that is let in, so that a backlog shrinks while it is shared out. */
const OF_DRAINED = 0.9

const REASONS: Readonly<Record<GaugeName, OverloadReason>> = {
  backlog: 'overload_backlog',
  backlog_age: 'overload_backlog',
  memory: 'overload_memory',
  disk: 'overload_disk',
}

export class Overload {
  readonly #options: OverloadOptions
  readonly #gauges: Readonly<Record<GaugeName, Gauge>>
  readonly #demand = new DemandWindow({
    seconds: max('overloadWindowSeconds'),
    keysMax: max('overloadKeysMax'),
  })
  readonly #weights = new WorkWeights({
    keysMax: max('overloadKeysMax'),
    weightMax: max('overloadWorkWeightMax'),
  })
  readonly #usual = new UsualRate()
  #closedBy: OverloadReason | null = null
  #scarce: OverloadReason | null = null
  #secondStartMs: number
  /** Bytes let in since `#rates` looked last. */
  #letIn = 0
  #rates: { atMs: number; backlog: number; letIn: number; drained: number } | null = null

  constructor(options: OverloadOptions) {
    this.#options = options
    this.#secondStartMs = options.clock.elapsed()
    const limits = gaugeLimits(options)
    const gauge = (name: GaugeName): Gauge => {
      const value = limits[name].worse === 'high' ? 0 : Number.POSITIVE_INFINITY
      const felt = isBacklog(name) ? null : new FeltCapacity()
      return { limits: limits[name], value, state: 'ok', felt }
    }
    this.#gauges = {
      backlog: gauge('backlog'),
      backlog_age: gauge('backlog_age'),
      memory: gauge('memory'),
      disk: gauge('disk'),
    }
  }

  /** Returns the reason why everybody is kept out; `null` if somebody may come in. Costs nothing. */
  closedBy(): OverloadReason | null {
    return this.#closedBy
  }

  /** Asks for an envelope of so many bytes. `null`: it may come in; else what holds its key back. */
  admit(
    sender: { readonly keyId: KeyId; readonly projectId: ProjectId },
    bodyBytes: number,
  ): OverloadReason | null {
    const nowMs = this.#options.clock.elapsed()
    if (nowMs - this.#secondStartMs >= SECOND_MS) this.#nextSecond(nowMs)
    const bytes = bodyBytes + max('overloadEnvelopeBytes')
    const weighed = bytes * this.#weights.of(sender.keyId)
    const demand = this.#demand.ask(sender.keyId, sender.projectId, weighed)
    if (this.#scarce !== null && demand !== null && demand.allowed !== null) {
      if (demand.taken >= demand.allowed) {
        demand.refused++
        return this.#scarce
      }
      demand.taken += weighed
    }
    this.#letIn += bytes
    return null
  }

  /** Counts bytes that were work and came to nothing: whoever sends them has less of a share left. */
  charge(sender: { readonly keyId: KeyId; readonly projectId: ProjectId }, bytes: number): void {
    const demand = this.#demand.ask(sender.keyId, sender.projectId, bytes)
    if (demand !== null && demand.allowed !== null) demand.taken += bytes
  }

  /** Takes what process threads measured: whose bytes are much work has its share by that work. */
  worked(works: readonly KeyWork[]): void {
    this.#weights.note(works)
  }

  /** Takes new readings: a few times a second. */
  update(readings: GaugeReadings): void {
    const nowMs = this.#options.clock.elapsed()
    const wasClosed = this.#closedBy !== null
    // Nobody could ask: what each key asked before is what is known of it when it may again.
    if (wasClosed) this.#secondStartMs = nowMs
    const seconds = this.#measureRates(nowMs, readings.backlog)
    if (this.#scarce === null) this.#usual.note(this.#rates?.letIn ?? 0, seconds)
    for (const name of GAUGES) this.#read(name, readings[name], seconds)
    const worst = (state: GaugeState) => GAUGES.find((name) => this.#gauges[name].state === state)
    const closed = worst('hard')
    const scarce = closed ?? worst('soft')
    this.#closedBy = closed === undefined ? null : REASONS[closed]
    const wasScarce = this.#scarce !== null
    this.#scarce = scarce === undefined ? null : REASONS[scarce]
    if (this.#scarce === null) {
      if (wasScarce) this.#demand.free()
    } else if (!wasScarce || wasClosed) this.#share()
  }

  /** Returns the gauges that are not well; empty while all are. */
  states(): readonly { readonly name: GaugeName; readonly state: GaugeState }[] {
    if (this.#scarce === null) return ALL_WELL
    return GAUGES.map((name) => ({ name, state: this.#gauges[name].state })).filter(
      ({ state }) => state !== 'ok',
    )
  }

  view(): OverloadView {
    const gauges = GAUGES.map((name) => {
      const { value, state, limits } = this.#gauges[name]
      return { name, value, soft: limits.soft, hard: limits.hard, state }
    })
    const heldBack = this.#demand.heldBack()
    return {
      gauges,
      heldBackKeys: heldBack.length,
      heldBack: heldBack
        .slice(0, max('overloadKeysShown'))
        .map(({ keyId, projectId, rate, allowed, refused }) => {
          return { keyId, projectId, asked: rate, allowed: allowed ?? 0, refused }
        }),
    }
  }

  #nextSecond(nowMs: number): void {
    const seconds = Math.floor((nowMs - this.#secondStartMs) / SECOND_MS)
    this.#secondStartMs += seconds * SECOND_MS
    this.#demand.pass(seconds)
    this.#weights.pass(seconds)
    if (this.#scarce !== null) this.#share()
  }

  #share(): void {
    this.#demand.share(this.#capacity(), max('overloadShareBytesMin'))
  }

  /** Bytes a second that may come in: the least that a gauge beyond its soft limit leaves. */
  #capacity(): number {
    const drained = (this.#rates?.drained ?? 0) * OF_DRAINED
    const left = GAUGES.map((name) => {
      const { state, felt } = this.#gauges[name]
      return state === 'ok' ? Number.POSITIVE_INFINITY : (felt?.perSecond() ?? drained)
    })
    return Math.min(...left)
  }

  #read(name: GaugeName, value: number, seconds: number): void {
    const gauge = this.#gauges[name]
    const state = nextState(gauge.state, value, gauge.limits)
    const before = gauge.state
    gauge.value = value
    gauge.state = state
    if (gauge.felt !== null && state !== 'ok') {
      const towards = towardsHard(value, gauge.limits)
      if (before === 'ok') gauge.felt.begin(this.#usual.perSecond(), towards)
      else
        gauge.felt.follow({ asked: this.#demand.asked(), towards, seconds, isOpen: this.#closedBy === null })
    }
    if (state === before) return
    const { soft, hard } = gauge.limits
    this.#options.log[state === 'ok' ? 'info' : 'warn'](SAID[state], { what: name, value, soft, hard })
  }

  /**
   * Measures bytes a second received and drained: what came in and no longer waits. Returns the seconds
   * measured, 0 if too little time has passed.
   */
  #measureRates(nowMs: number, backlog: number): number {
    const last = this.#rates
    if (last === null) {
      this.#rates = { atMs: nowMs, backlog, letIn: 0, drained: 0 }
      return 0
    }
    const seconds = (nowMs - last.atMs) / SECOND_MS
    if (seconds < 0.25) return 0
    const letIn = this.#letIn / seconds
    const drained = Math.max(0, this.#letIn - (backlog - last.backlog)) / seconds
    const smooth = (older: number, newer: number) => older + (newer - older) * SMOOTHING
    this.#letIn = 0
    this.#rates = {
      atMs: nowMs,
      backlog,
      letIn: smooth(last.letIn, letIn),
      drained: smooth(last.drained, drained),
    }
    return seconds
  }
}

function isBacklog(name: GaugeName): boolean {
  return name === 'backlog' || name === 'backlog_age'
}

const ALL_WELL: readonly { readonly name: GaugeName; readonly state: GaugeState }[] = []

const NAMES: Readonly<Record<GaugeName, string>> = {
  backlog: 'the backlog',
  backlog_age: 'the age of the backlog',
  memory: 'memory',
  disk: 'free disk',
}

/** Describes overload in one line for /health; `null` while all is well. */
export function overloadText(states: ReturnType<Overload['states']>): string | null {
  if (states.length === 0) return null
  const beyond = states.map(({ name, state }) => `${NAMES[name]} is beyond its ${state} limit`)
  return `overloaded: ${beyond.join(', ')}`
}

const SAID: Readonly<Record<GaugeState, string>> = {
  ok: 'overload: over',
  soft: 'overload: the heaviest keys are held back',
  hard: 'overload: ingest answers 503',
}

function gaugeLimits({ memoryBytes, diskBytes }: OverloadOptions): Readonly<Record<GaugeName, GaugeLimits>> {
  const release = max('pressureReleasePercent') / 100
  const high = (soft: number, hard: number): GaugeLimits => ({ soft, hard, worse: 'high', release })
  const memory = Math.min(memoryBytes, max('memoryBytesMax'))
  const part = (whole: number, percent: number) => Math.round((whole * percent) / 100)
  const free = (bytes: number, percent: number) => Math.min(bytes, part(diskBytes, percent))
  return {
    backlog: high(max('backlogBytesSoft'), max('backlogBytesHard')),
    backlog_age: high(max('backlogAgeMsSoft'), max('backlogAgeMsHard')),
    memory: high(part(memory, max('memoryPercentSoft')), part(memory, max('memoryPercentHard'))),
    disk: {
      soft: free(max('diskFreeBytesSoft'), max('diskFreePercentSoft')),
      hard: free(max('diskFreeBytesHard'), max('diskFreePercentHard')),
      worse: 'low',
      release,
    },
  }
}
