/**
 * Runs the fault suite once: a seeded stream of envelopes through one or more lives, disturbed by seeded
 * faults, healed, and looked at. The same seed does the same, but for what the machine's own threads
 * interleave.
 */
import { existsSync, statfsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '../../packages/server/src/base/clock.ts'
import type { CommitStep } from '../../packages/server/src/commit/commit.ts'
import { COMMIT_STEPS, RECOVERY_STEPS } from '../../packages/server/src/commit/commit.ts'
import { NOW } from '../../packages/server/testing/builders/times.ts'
import { openHouse } from '../../packages/server/testing/worlds/stores.ts'
import { type KeyedProject, setUpTwoProjects } from '../../packages/server/testing/worlds/two-projects.ts'
import { type DiskOperation, type DiskRules, diskError, FaultyDisk, SOUND } from './faulty-disk.ts'
import { Life } from './life.ts'
import type { ProcessThread } from './process-thread.ts'
import { Seeded } from './seeded.ts'
import { answered, type Kind, type Target, Traffic } from './traffic.ts'
import { type Allowance, checkJournal, checkLife, checkRefusals } from './verdict.ts'

export const FAULTS = [
  'kill',
  'power loss',
  'full disk',
  'failing writes',
  'failing syncs',
  'failing reads',
  'slow syncs',
  'clock jump',
  'commit step',
  'thread dies',
  'thread hangs',
  'poison',
  'deadly event',
  'hanging event',
  'flipped journal',
  'flipped payloads',
] as const
export type Fault = (typeof FAULTS)[number]

const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 1_000_000_000
/**
 * Scratch folder, in memory where there is room: the faulty disk decides what a sync leaves behind, and real
 * ones are a fifth of the time.
 */
const SCRATCH = hasRoom(MEMORY) ? MEMORY : tmpdir()

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= MEMORY_BYTES_MIN
}

/** A set-up data directory that every run copies. */
export interface Template {
  readonly directory: string
  readonly targets: readonly [Target, ...Target[]]
}

export async function makeTemplate(): Promise<Template> {
  const directory = await mkdtemp(join(SCRATCH, 'errata-fault-template-'))
  const house = await openHouse(directory)
  const { shop, blog } = await setUpTwoProjects(house)
  await house.close()
  const target = ({ projectId, keyPublic }: KeyedProject): Target => ({ projectId, keyPublic })
  return { directory, targets: [target(shop), target(blog)] }
}

const BURSTS = 4
const HANG_MS = 250
const HANGING: readonly Fault[] = ['hanging event', 'thread hangs']
const NEVER_MS = 20_000

/** Returns the faults of a seed, for the message of a failing run. */
export function faultsOf(seed: number): readonly Fault[] {
  const seeded = new Seeded(seed)
  const faults: Fault[] = [FAULTS[seed % FAULTS.length] ?? 'kill']
  while (faults.length < 3 && seeded.chance(0.4)) faults.push(seeded.pick([...FAULTS]))
  return faults
}

export async function runSeed(seed: number, template: Template): Promise<void> {
  const directory = await mkdtemp(join(SCRATCH, 'errata-fault-'))
  const run = new Run(seed, template, directory)
  try {
    await run.all()
    await rm(directory, { recursive: true, force: true })
  } catch (cause) {
    throw new Error(`seed ${seed} (${faultsOf(seed).join(', ')}) failed; ${directory} is what it left`, {
      cause,
    })
  } finally {
    await run.close()
  }
}

class Run {
  readonly #seeded: Seeded
  readonly #template: Template
  readonly #directory: string
  readonly #disk: FaultyDisk
  readonly #clock = manualClock(NOW)
  readonly #traffic: Traffic
  readonly #faults: readonly Fault[]
  #life: Life | null = null
  /** Rules under which the journal can keep nothing. */
  #deadJournal: DiskRules | null = null
  #allowed: Allowance = { accidents: 0, journalFlipped: false, payloadsFlipped: false }

  constructor(seed: number, template: Template, directory: string) {
    this.#seeded = new Seeded(seed ^ 0x2545f491)
    this.#template = template
    this.#directory = directory
    this.#disk = new FaultyDisk(new Seeded(seed + 7_919))
    this.#traffic = new Traffic(this.#seeded, template.targets)
    this.#faults = faultsOf(seed)
  }

  async all(): Promise<void> {
    await cp(this.#template.directory, this.#directory, { recursive: true })
    const moments = new Map<number, Fault[]>()
    for (const fault of this.#faults) {
      const burst = this.#seeded.whole(1, BURSTS - 1)
      moments.set(burst, [...(moments.get(burst) ?? []), fault])
    }
    for (let burst = 0; burst < BURSTS; burst++) {
      for (const fault of moments.get(burst) ?? []) await this.#disturb(fault)
      await this.#send(this.#seeded.whole(1, 8))
      if (this.#seeded.chance(0.3)) await (await this.#living()).drained()
      this.#clock.advance(this.#seeded.whole(1, 30_000))
    }
    await this.#check()
  }

  async close(): Promise<void> {
    await this.#life?.kill().catch(() => {}) // the run has failed already; its message is the one to tell
    this.#life = null
  }

  async #check(): Promise<void> {
    this.#disk.rules = SOUND
    const life = await this.#living()
    life.setRules(SOUND)
    await life.drained()
    if (this.#seeded.chance(0.5)) {
      await life.stop()
      this.#life = null
    }
    const last = await this.#living()
    await last.drained()
    await checkLife(last, this.#traffic.sent, this.#allowed)
    await last.stop()
    this.#life = null
    await checkJournal(this.#directory, this.#clock)
  }

  /** The life that goes on; a new one when the last has ended. */
  async #living(endsAt: number | null = null): Promise<Life> {
    if (this.#life !== null && !this.#life.hasEnded) return this.#life
    await this.#life?.kill()
    this.#life = null
    for (let tries = 0; ; tries++) {
      try {
        this.#life = await this.#start(SOUND, tries === 0 ? endsAt : null)
        return this.#life
      } catch (cause) {
        // A start that was cut short or met a failing disk: the next one must do. A second failure is a finding.
        if (tries > 0 || endsAt === null) throw cause
        if (this.#seeded.chance(0.5)) await this.#disk.losePower()
      }
    }
  }

  #start(rules: DiskRules, endsAt: number | null): Promise<Life> {
    return Life.start({
      ...{ directory: this.#directory, disk: this.#disk, clock: this.#clock, seeded: this.#seeded },
      ...{ rules, endsAt },
      processTimeoutMs: this.#faults.some((fault) => HANGING.includes(fault)) ? HANG_MS : NEVER_MS,
      // On a machine that is busy with something else: an accident like those that are planned.
      onOverdue: () => this.#allowAccident(),
    })
  }

  async #send(count: number, only?: Kind): Promise<void> {
    const life = await this.#living()
    const answers = Array.from({ length: count }, () => {
      const { request, sent } = this.#traffic.next(only ?? this.#traffic.kind())
      return answered(sent, life.accept.accept(request))
    })
    await Promise.all(answers)
  }

  async #disturb(fault: Fault): Promise<void> {
    const life = await this.#living()
    const { whole, pick, chance } = this.#bound()
    if (fault === 'kill' || fault === 'power loss') return this.#end(fault)
    if (fault === 'full disk') return this.#while({ ...SOUND, freeBytes: whole(0, 4_000) })
    if (fault === 'failing writes') return this.#while(this.#failing('write', 'EIO'))
    if (fault === 'failing reads') return this.#startOverFailingReads()
    if (fault === 'slow syncs') return this.#while({ ...SOUND, syncMs: whole(1, 12) })
    if (fault === 'clock jump') {
      this.#clock.advance(pick([-36, -2, 2, 30]) * 3_600_000 + whole(0, 999))
      return
    }
    if (fault === 'commit step') {
      life.failAt(pick<CommitStep>([...COMMIT_STEPS]))
      if (chance(0.3)) life.failAt(pick<CommitStep>([...RECOVERY_STEPS]))
      return
    }
    if (fault === 'thread dies') {
      for (const thread of life.threads) if (chance(0.7)) this.#plan(thread, 'dies')
      return
    }
    if (fault === 'thread hangs') {
      this.#plan(life.threads[whole(0, 1)], 'hangs')
      return
    }
    if (fault === 'flipped journal') return this.#flipJournal()
    if (fault === 'flipped payloads') return this.#flipPayloads()
    if (fault === 'failing syncs') {
      await this.#while(this.#failing('sync', 'EIO'))
      if (chance(0.5)) await this.#end('power loss')
      return
    }
    const kind = fault === 'poison' ? 'poison' : fault === 'deadly event' ? 'deadly' : 'hanging'
    await this.#send(kind === 'hanging' ? 1 : whole(1, 2), kind)
  }

  /** The process or the machine goes at a seeded moment of what follows, and perhaps once more while it comes back. */
  async #end(how: 'kill' | 'power loss'): Promise<void> {
    const life = await this.#living()
    life.endAfter(this.#seeded.whole(0, 70))
    for (let burst = 0; burst < 3 && !life.hasEnded; burst++) {
      await this.#send(this.#seeded.whole(1, 8))
      if (this.#seeded.chance(0.5)) await life.drained()
    }
    await life.kill()
    this.#life = null
    if (how === 'power loss') await this.#disk.losePower()
    for (let again = 0; again < 2 && this.#seeded.chance(0.5); again++) {
      const next = await this.#living(this.#seeded.whole(0, 25))
      if (this.#seeded.chance(0.5)) await next.drained()
      await next.kill()
      this.#life = null
      if (how === 'power loss') await this.#disk.losePower()
    }
  }

  /** Traffic while the disk behaves so; then it is sound again. */
  async #while(rules: DiskRules): Promise<void> {
    const life = await this.#living()
    life.setRules(rules)
    const before = this.#traffic.sent.length
    for (let burst = this.#seeded.whole(1, 2); burst > 0; burst--) await this.#send(this.#seeded.whole(1, 6))
    if (rules === this.#deadJournal) checkRefusals(this.#traffic.sent.slice(before))
    if (this.#seeded.chance(0.3)) await new Promise((resolve) => setTimeout(resolve, 15))
    life.setRules(SOUND)
  }

  #plan(thread: ProcessThread | undefined, accident: 'dies' | 'hangs'): void {
    thread?.plan(accident)
    this.#allowAccident()
  }

  #allowAccident(): void {
    this.#allowed = { ...this.#allowed, accidents: this.#allowed.accidents + 1 }
  }

  /** Some operations of one area fail, or all of them. */
  #failing(operation: DiskOperation, code: 'EIO' | 'ENOSPC'): DiskRules {
    const area = this.#seeded.pick(['journal', 'payloads', 'quarantine', ''])
    const probability = this.#seeded.pick([0.3, 0.6, 1])
    const seeded = new Seeded(this.#seeded.whole(1, 1e9))
    const refuse: DiskRules['refuse'] = (at, path) =>
      at === operation && path.includes(area) && seeded.chance(probability) ? diskError(code) : null
    const rules = { ...SOUND, refuse }
    if (probability === 1 && 'journal'.includes(area) && operation !== 'read') this.#deadJournal = rules
    return rules
  }

  /** A start that cannot read fails, or comes up; the next one, on a sound disk, must. */
  async #startOverFailingReads(): Promise<void> {
    await (await this.#living()).kill()
    this.#life = null
    try {
      const life = await this.#start(this.#failing('read', 'EIO'), null)
      this.#life = life
      await this.#send(this.#seeded.whole(1, 4))
      life.setRules(SOUND)
    } catch {
      this.#disk.rules = SOUND
    }
  }

  /** Bytes change on the disk while nothing runs. */
  async #flipJournal(): Promise<void> {
    const life = await this.#living()
    life.endAfter(this.#seeded.whole(5, 60))
    for (let burst = 0; burst < 3 && !life.hasEnded; burst++) await this.#send(this.#seeded.whole(2, 8))
    await life.kill()
    this.#life = null
    if (await this.#flip('journal', '.log', 0)) this.#allowed = { ...this.#allowed, journalFlipped: true }
  }

  async #flipPayloads(): Promise<void> {
    await (await this.#living()).drained()
    await (await this.#living()).kill()
    this.#life = null
    if (await this.#flip('payloads', '.seg', PAYLOADS_HEADER_BYTES))
      this.#allowed = { ...this.#allowed, payloadsFlipped: true }
  }

  /** Flips one bit of one file, behind its first `from` bytes. False if there is none to flip. */
  async #flip(area: string, ending: string, from: number): Promise<boolean> {
    const folder = join(this.#directory, area)
    const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort()
    const [first, ...rest] = names
    if (first === undefined) return false
    const name = this.#seeded.pick([first, ...rest])
    const bytes = await readFile(join(folder, name))
    if (bytes.length <= from) return false
    const at = this.#seeded.whole(from, bytes.length - 1)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << this.#seeded.whole(0, 7))
    await writeFile(join(folder, name), bytes)
    // Whoever looked at the file before remembers the sound bytes.
    this.#disk.forget(join(folder, name))
    return true
  }

  #bound() {
    const seeded = this.#seeded
    return {
      whole: (least: number, most: number) => seeded.whole(least, most),
      pick: <T>(from: readonly [T, ...T[]]) => seeded.pick(from),
      chance: (probability: number) => seeded.chance(probability),
    }
  }
}

/** At least; a payload file without one is refused at start, which is no finding. */
const PAYLOADS_HEADER_BYTES = 48
