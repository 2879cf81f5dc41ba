/**
 * The second beat: makes a batch of a journal range. Pure computation on what it is given: no store, no clock, no
 * network. A bad item is an outcome and harms no neighbour; a bug of ours stops the range and names the envelope.
 */
import { categoryOf } from '@errata/protocol'
import { orgId, type ProjectId, projectId, type Seq } from '#base/ids.ts'
import { openKeptGunzip } from '#base/kept-gunzip.ts'
import type { Log } from '#base/log.ts'
import { Memo } from '#base/memo.ts'
import { createFilter } from '#filter/filter.ts'
import { type ItemAnswer, refused } from '#kinds/item.ts'
import type { Kinds, Thinner } from '#kinds/kind.ts'
import { max } from '#limits/limits.ts'
import type { BatchPart, KindHint, PendingRow, ProcessedBatch, QuarantinedEnvelope } from '#model/batch.ts'
import type { KindName } from '#model/file-name.ts'
import { type ParsedRules, parseGroupingRules } from '#model/grouping-rules.ts'
import { KnownDeploys } from '#model/known-deploys.ts'
import { KnownRoutes } from '#model/known-routes.ts'
import type { EnvelopeRecord, JournalRange, SequencedRecord } from '#model/record.ts'
import { SharedParts } from '#model/shared-parts.ts'
import { type DirectoryChange, type IngestDirectory, PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { scrubBytes } from '#scrub/bytes.ts'
import { CleanParts } from '#scrub/scan/clean-parts.ts'
import { createScrubber } from '#scrub/scrub.ts'
import { packPart } from './blocks.ts'
import { decodeEnvelopeRecord, inflateBody } from './decode.ts'
import {
  EnvelopeWork,
  itemsLeft,
  type KnownProject,
  type ProjectMaps,
  type SequencedEnvelope,
} from './envelope-work.ts'
import { OutcomeSum } from './outcome-sum.ts'
import { Stride } from './stride.ts'

export interface ProcessorOptions {
  readonly kinds: Kinds
  readonly directory: IngestDirectory
  readonly log: Log
  /** Uploads that stack traces are resolved with. */
  readonly maps?: ProjectMaps
}

/** Every change of any project gives the whole directory anew: rules that stayed as they were are not read again. */
const PARSED_RULES = { entriesMax: 2_000, charsMax: max('groupingRulesCharsMax') }

const NO_MAPS: ProjectMaps = {
  refresh() {},
  of: () => ({ mapOf: () => ({ found: false, why: 'no_map_for_debug_id' }), actionName: () => null }),
}

export interface RangeOptions {
  readonly quarantine?: ReadonlySet<Seq>
  /** Hints for leaving out, per kind, what the commit would leave out. */
  readonly hints?: readonly KindHint[]
  readonly isDamaged?: () => boolean
  /** Measures what each envelope takes. */
  readonly meter?: WorkMeter
}

export interface WorkMeter {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Told of each envelope once, when all of it is done. */
  add(record: EnvelopeRecord, ms: number): void
}

const UNMEASURED: WorkMeter = { now: () => 0, add() {} }

export interface Processor {
  /** Returns the version of what is known of projects; none was said with some directories. */
  version(): number | undefined
  /** Replaces what is known of projects. Between two batches. */
  setDirectory(directory: IngestDirectory): void
  /** Answers whether it follows what is known here; where it does not, all of it is to be set anew. */
  changeDirectory(change: DirectoryChange): boolean
  /**
   * Processes the records of a range; the rows are in their order. Those in `quarantine` are only scrubbed by patterns
   * and set aside. `isDamaged` tells, once the records are read, whether bytes of the range could not be.
   * @throws ProcessFailure when an envelope made our code fail
   */
  process(records: Iterable<SequencedRecord>, range: JournalRange, options?: RangeOptions): ProcessedBatch
}

type KnownProjects = Map<ProjectId, KnownProject>

export function createProcessor({ kinds, directory, log, maps = NO_MAPS }: ProcessorOptions): Processor {
  const shared = new SharedParts()
  const thinners = new Thinners(kinds)
  const parsed = new Memo(parseGroupingRules, PARSED_RULES)
  const scan = new CleanParts()
  const gunzip = openKeptGunzip()
  const known = { shared, maps, parsed, scan }
  const nobodys = nobodysProject(shared)
  let projects = indexProjects(directory, known)
  let version = directory.version
  return {
    version: () => version,
    setDirectory(next) {
      projects = indexProjects(next, known)
      version = next.version
    },
    changeDirectory({ from, projects: changed, now }) {
      if (from !== version) return false
      version = now.version
      for (const id of changed) projects.delete(id)
      for (const [id, project] of indexProjects(now, known)) projects.set(id, project)
      return true
    },
    process(records, range, options = {}) {
      const { quarantine = new Set(), hints = [], isDamaged = () => false, meter = UNMEASURED } = options
      maps.refresh()
      const batch = new BatchBuilder(range)
      const stride = new Stride((work) => {
        batch.take(work)
        meter.add(work.record, work.ms)
      })
      const now = () => meter.now()
      for (const record of records) {
        batch.seen(record)
        if (record.type === 'outcomes') batch.outcomes.addAll(record.outcomes)
        else if (quarantine.has(record.seq)) batch.quarantine(record, projects.get(record.projectId))
        else {
          const of = projects.get(record.projectId)
          stride.add(new EnvelopeWork(record, { kinds, known: of, nobodys, now, gunzip }))
        }
      }
      stride.finish()
      const missing = isDamaged() ? batch.countMissing() : 0
      if (missing > 0) log.error('journal records could not be read', { missing, firstSeq: range.firstSeq })
      return batch.finish((kind, rows) =>
        packPart(kinds.stored(kind).table, thinners.thin(kind, rows, hints)),
      )
    },
  }
}

function indexProjects(
  directory: IngestDirectory,
  {
    parsed,
    scan,
    ...known
  }: Pick<KnownProject, 'shared' | 'maps'> & {
    readonly parsed: Memo<ParsedRules>
    readonly scan: CleanParts
  },
): KnownProjects {
  const routes = Map.groupBy(directory.routes ?? [], ({ projectId }) => projectId)
  const builds = Map.groupBy(directory.builds ?? [], ({ projectId }) => projectId)
  return new Map(
    directory.projects.map((project) => [
      project.id,
      {
        project,
        scrubber: createScrubber(project.options.scrub, scan),
        filter: createFilter(project.options.filters),
        routes: new KnownRoutes(routes.get(project.id) ?? []),
        deploys: new KnownDeploys(builds.get(project.id) ?? []),
        groupingRules: parsed.of(project.options.fingerprintingRules).rules,
        ...known,
      },
    ]),
  )
}

/** Reads what is counted and not kept, by the settings of a new project. */
function nobodysProject(shared: SharedParts): KnownProject {
  const options = PROJECT_OPTIONS_DEFAULT
  return {
    ...{ project: { id: projectId(0), orgId: orgId(0), options }, shared, maps: NO_MAPS, filter: null },
    ...{ scrubber: createScrubber(options.scrub), groupingRules: [] },
    ...{ routes: new KnownRoutes([]), deploys: new KnownDeploys([]) },
  }
}

class BatchBuilder {
  readonly outcomes = new OutcomeSum()
  #recordsSeen = 0
  #newestMs = 0
  readonly #range: JournalRange
  readonly #rows = new Map<KindName, PendingRow[]>()
  readonly #quarantined: QuarantinedEnvelope[] = []

  constructor(range: JournalRange) {
    this.#range = range
  }

  seen({ receivedMs }: SequencedRecord): void {
    this.#recordsSeen++
    this.#newestMs = Math.max(this.#newestMs, receivedMs)
  }

  take(work: EnvelopeWork): void {
    for (const answer of work.answers()) this.count(work.record, work.known, answer)
  }

  count(record: SequencedEnvelope, known: KnownProject | undefined, answer: ItemAnswer): void {
    for (const row of answer.rows) this.#add(row)
    for (const outcome of answer.outcomes) {
      this.outcomes.add({
        ...outcome,
        projectId: known === undefined ? null : record.projectId,
        keyId: known === undefined ? null : record.keyId,
        atMs: record.receivedMs,
      })
    }
  }

  /** Bytes that cannot be decompressed are not kept: what is in them cannot be scrubbed. */
  quarantine(record: SequencedEnvelope, known: KnownProject | undefined): void {
    const inflated = inflateBody(record.body, record.encodings)
    this.#quarantined.push({
      seq: record.seq,
      projectId: record.projectId,
      receivedMs: record.receivedMs,
      reason: `processing failed ${max('processTriesMax')} times`,
      body: inflated.ok ? scrubBytes(inflated.bytes, known?.project.options.scrub) : new Uint8Array(),
      ...(record.setAside !== undefined && { setAside: record.setAside }),
    })
    const decoded = inflated.ok
      ? decodeEnvelopeRecord({ ...record, body: inflated.bytes, encodings: [] })
      : inflated
    const items = decoded.ok ? itemsLeft(record, decoded.envelope) : []
    const categories =
      items.length === 0
        ? [{ category: 'default', quantity: 1 }]
        : items.map((item) => categoryOf(item.type, item.header))
    for (const category of categories) {
      const outcome = { outcome: 'invalid', reason: 'quarantined', ...category } as const
      this.count(record, known, refused({ ...outcome, example: `envelope ${record.seq}` }))
    }
  }

  /** Counts records of the range that the journal could not give back. */
  countMissing(): number {
    const missing = this.#range.lastSeq - this.#range.firstSeq + 1 - this.#recordsSeen
    if (missing <= 0) return 0
    this.outcomes.add({
      ...{ outcome: 'invalid', reason: 'journal_damaged', category: 'default', quantity: missing },
      example: 'bytes of the journal that fail their checksum',
      projectId: null,
      keyId: null,
      atMs: Math.max(this.#newestMs, this.outcomes.newestMs),
    })
    return missing
  }

  finish(pack: (kind: KindName, rows: readonly PendingRow[]) => BatchPart): ProcessedBatch {
    return {
      range: this.#range,
      parts: [...this.#rows].map(([kind, rows]) => pack(kind, rows)),
      outcomes: this.outcomes.all(),
      quarantined: this.#quarantined,
    }
  }

  #add(row: PendingRow): void {
    const rows = this.#rows.get(row.kind)
    if (rows === undefined) this.#rows.set(row.kind, [row])
    else rows.push(row)
  }
}

/** Leaves payloads out early that the commit would leave out; each kind by its own rule and memory. */
class Thinners {
  readonly #kinds: Kinds
  readonly #thinners = new Map<KindName, Thinner | null>()

  constructor(kinds: Kinds) {
    this.#kinds = kinds
  }

  thin(kind: KindName, rows: readonly PendingRow[], hints: readonly KindHint[]): readonly PendingRow[] {
    let thinner = this.#thinners.get(kind)
    if (thinner === undefined) {
      thinner = this.#kinds.stored(kind).keep.thinner?.() ?? null
      this.#thinners.set(kind, thinner)
    }
    const hint = hints.find((each) => each.kind === kind)
    return thinner === null || hint === undefined ? rows : thinner.thin(rows, hint.of)
  }
}
