/** The column store on DuckDB: one instance, one file per kind, day of receipt and retention class. */
import type { Clock } from '#base/clock.ts'
import { assert, ErrataError } from '#base/errors.ts'
import { dayOf, seq as seqOf } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { nowAndThen } from '#base/now-and-then.ts'
import { max } from '#limits/limits.ts'
import type { Damage } from '#model/damage.ts'
import type { Dataset } from '#model/dataset.ts'
import type { RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { type Hidden, HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import type { Columns } from '#ports/columns.ts'
import type { MissedMapCounts } from '#ports/missed-maps.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventLike, EventReads, MissedMapsRead, RowsOfEvents, TelemetryStore } from '#ports/telemetry.ts'
import type { FragmentLike, TraceReads } from '#ports/traces.ts'
import type { ColumnWaits } from '#ports/waits.ts'
import type { ColumnCare, RewriteOptions } from '#store/embedded/care/stores/columns.ts'
import type { VerifyFiles } from '#store/embedded/care/stores/verify-files.ts'
import { RowWriter } from './append.ts'
import { columnsAsked } from './ask.ts'
import { ColumnFiles } from './column-files.ts'
import { readDetailValues } from './detail-values.ts'
import { type DuckSession, openDriver, returnFreedMemory } from './driver.ts'
import { readEvents } from './event-page.ts'
import { readEventOfFile, readGroupsMatching, readRows } from './event-reads.ts'
import { groupContents } from './group-contents.ts'
import { groupsThatMissed, missedEvents, missedInFile } from './groups-that-missed.ts'
import { LostSum, lostInFile } from './lost-counts.ts'
import { readGroupPeople, readGroupPeopleHashes, readGroupTrends } from './matching-groups.ts'
import { readMissedMaps } from './missed-maps.ts'
import { countEvents, readNeighbours } from './neighbours.ts'
import { peopleReadsOf } from './people-named.ts'
import { countRowsOfFile, namedByOthers, PersonSum, personInFile } from './person-reads.ts'
import { QuerySlots, type RunQuery } from './query-slots.ts'
import type { ReadContext } from './read-context.ts'
import { replaceFile } from './replace-file.ts'
import { type Rewriting, rewriteFile } from './rewrite-file.ts'
import {
  countSegments,
  readHeat,
  readIssues,
  readPoints,
  readSegments,
  readTagValues,
  readTraceFragments,
  readWork,
  sumSpans,
  type TraceContext,
} from './trace-reads.ts'
import { readTracedErrors } from './traced-errors.ts'
import { verifyRows } from './verify-rows.ts'
import { readDeviceVitals, readVitalFragments } from './vital-reads.ts'

export interface TelemetryOptions<R extends EventLike, F extends FragmentLike> {
  /** Tables of every kind that is stored. */
  readonly tables: readonly RowTable[]
  /** The one of them that people page through by group. */
  readonly events: RowTable<R>
  /** The one of them whose rows are parts of traces. */
  readonly fragments: RowTable<F>
  /** Kinds that people ask for by name; default: none. */
  readonly datasets?: readonly Dataset[]
  /** Directory of the column files; made if absent, readable by its owner only. */
  readonly directory: string
  readonly log: Log
  readonly clock: Clock
  /** Asked first for rows: reading them from here costs a query of all columns a file. Default: nothing is. */
  readonly rowsOf?: RowsOfEvents<R>
  /** A file that cannot be understood makes room for a new one, or stays where it is (the default). */
  readonly whenDamaged?: 'set aside' | 'leave'
  /** How long a query may take; default: `queryTimeoutMs` of the limits. */
  readonly queryTimeoutMs?: number
  /** Hears of a file that is damaged, gone or cannot be read, when that is met. */
  readonly onDamage?: (damage: Damage) => void
}

/** Everything that the column store promises. */
type Telemetry<R extends EventLike, F extends FragmentLike> = ColumnCare &
  Columns &
  EventReads<R> &
  TraceReads<F> &
  PeopleReads &
  MissedMapsRead &
  MissedMapCounts &
  ColumnWaits &
  VerifyFiles & {
    /** Interrupts the rewriting of a file, and waits until it has ended: the old file serves on. */
    stopRewriting(): Promise<void>
  }

/**
 * Opens the column store. At most one may be open on a directory: a second one in the same process would lose rows
 * silently, one in another process is refused by DuckDB when it attaches a file.
 */
export async function openTelemetry<R extends EventLike, F extends FragmentLike>(
  options: TelemetryOptions<R, F>,
  open: typeof openDriver = openDriver,
): Promise<Telemetry<R, F>> {
  const { directory, tables, log, clock, whenDamaged = 'leave', onDamage = () => {} } = options
  const driver = await open(directory)
  const [catalog, writer] = [await driver.connect(), await driver.connect()]
  const files = new ColumnFiles(directory, { tables, catalog, writer, log, whenDamaged, onDamage })
  const rows = new RowWriter(files, writer, log)
  const slots = new QuerySlots(driver, options.queryTimeoutMs)
  const stopResting = letGoOfIdle(files)
  const rules = new RulesOfToday(clock)
  /** Writes, one after the other: they share a connection. */
  let turn: Promise<unknown> = Promise.resolve()

  const write = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work)
    turn = done.catch(() => {}) // the caller has the error; the next write starts afresh
    return done
  }
  const rewriting = new OneRewrite(() => driver.connect(), { files, alone: write })

  return {
    append: (appended, lastSeq) =>
      write(async () => {
        const startMs = clock.elapsed()
        await rows.append(appended, lastSeq)
        log.debug('appended column rows', { rows: appended.length, ms: clock.elapsed() - startMs })
      }),
    removeBeyond: (seq) => write(() => rows.removeBeyond(seq)),
    files: async () => files.names(),
    rows: (file, afterSeq, limit) =>
      slots.read((query) => readRows({ files, query }, file, { afterSeq, limit })),
    replace: (file, fresh, appliedSeq) =>
      write(() => {
        const table = tables.find(({ kind }) => kind === file.kind)
        assert(table !== undefined, `the column store knows the table of ${file.kind}`)
        return replaceFile({ files, session: writer, file, table }, fresh, appliedSeq)
      }),
    setHidden: async (hidden) => rules.set(hidden),
    waits: async (scope) => slots.waitOf(scope),
    bytes: async () => files.bytes(),
    ...columnsAsked({ datasets: options.datasets ?? [], files, slots, rules }),
    ...eventReadsOf(options, { files, slots, rules }),
    ...traceReadsOf(options.fragments, { files, slots, rules }),
    ...peopleReadsOf({ files, slots, rules }),
    ...personEventsOf({ files, slots, rules }),
    ...careOf({ files, slots, write, rewriting }),
    ...missedMapsOf({ files, slots, rules }),
    stopRewriting: () => rewriting.stop(),
    async close() {
      await stopResting()
      await rewriting.stop()
      await slots.close()
      await turn
      await files.close()
      catalog.close()
      writer.close()
      driver.close()
    },
  }
}

function missedMapsOf({
  files,
  slots,
  rules,
}: {
  readonly files: ColumnFiles
  readonly slots: QuerySlots
  readonly rules: RulesOfToday
}): Pick<MissedMapsRead, 'groupsThatMissed' | 'eventsThatMissed'> {
  return {
    groupsThatMissed: (query) =>
      groupsThatMissed(files.names(), query, (file, of) =>
        slots.read((run) => missedInFile({ files, query: run, rules: rules.now() }, file, of)),
      ),
    eventsThatMissed: (file, query, limit) =>
      files.has(file)
        ? slots.read((run) =>
            missedEvents({ files, query: run, rules: rules.now() }, file, { ...query, limit }),
          )
        : Promise.resolve([]),
  }
}

/** The part of people who read. */
function eventReadsOf<R extends EventLike>(
  { events: table, rowsOf = async () => [] }: Pick<TelemetryOptions<R, never>, 'events' | 'rowsOf'>,
  {
    files,
    slots,
    rules,
  }: { readonly files: ColumnFiles; readonly slots: QuerySlots; readonly rules: RulesOfToday },
): EventReads<R> & MissedMapCounts {
  const read = <T>(
    scope: ReadScope,
    work: (context: ReadContext<R>) => Promise<T>,
    forMs?: number,
  ): Promise<T> =>
    slots.read((query) => work({ table, files, query, scope, rules: rules.now(), rowsOf }), {
      by: scope,
      timeoutMs: forMs,
    })
  return {
    events: (scope, filter, page) => read(scope, (context) => readEvents(context, filter, page)),
    async event(scope, file, project, id) {
      if (file.kind !== table.kind || !scope.projects.includes(project) || !files.has(file)) return null
      const asked = rowsOf(file, [{ projectId: project, eventId: id }], Number.POSITIVE_INFINITY)
      const [row = null] = await asked.catch(() => []) // the columns have it too, whatever is wrong there
      // Beyond what is in the columns it belongs to a batch that may be taken back.
      if (row !== null && row.seq <= (await files.facts(file)).appliedSeq) {
        return rules.now().hides(row, file) ? null : row
      }
      return read(scope, (context) => readEventOfFile(context, file, { project, id }))
    },
    neighbours: (scope, filter, of) => read(scope, (context) => readNeighbours(context, filter, of)),
    count: (scope, filter) => read(scope, (context) => countEvents(context, filter)),
    groupsMatching: (scope, filter, limit, forMs) =>
      read(scope, (context) => readGroupsMatching(context, filter, limit), forMs),
    groupTrends: (scope, filter, asked) => read(scope, (context) => readGroupTrends(context, filter, asked)),
    groupPeople: (scope, filter, limit) => read(scope, (context) => readGroupPeople(context, filter, limit)),
    groupPeopleHashes: (scope, filter) => read(scope, (context) => readGroupPeopleHashes(context, filter)),
    detailValues: (scope, filter, asked) =>
      read(scope, (context) => readDetailValues(context, filter, asked)),
    tracedErrors: (scope, filter, limit) =>
      read(scope, (context) => readTracedErrors(context, filter, limit)),
    missedMaps: (scope, filter, limit) => read(scope, (context) => readMissedMaps(context, filter, limit)),
  }
}

/** The part of traces. */
function traceReadsOf<F extends FragmentLike>(
  table: RowTable<F>,
  {
    files,
    slots,
    rules,
  }: { readonly files: ColumnFiles; readonly slots: QuerySlots; readonly rules: RulesOfToday },
): TraceReads<F> {
  const read = <T>(scope: ReadScope, work: (context: TraceContext<F>) => Promise<T>): Promise<T> =>
    slots.read((query) => work({ table, files, query, scope, rules: rules.now() }), { by: scope })
  return {
    fragments: (scope, query) => read(scope, (context) => readTraceFragments(context, query)),
    segments: (scope, filter, page) => read(scope, (context) => readSegments(context, filter, page)),
    spanSums: (scope, query) => read(scope, (context) => sumSpans(context, query)),
    segmentCount: (scope, filter) => read(scope, (context) => countSegments(context, filter)),
    deviceVitals: (scope, filter, bounds) =>
      read(scope, (context) => readDeviceVitals(context, filter, bounds)),
    vitalFragments: (scope, filter, limit) =>
      read(scope, (context) => readVitalFragments(context, filter, limit)),
    segmentHeat: (scope, filter, grid) => read(scope, (context) => readHeat(context, filter, grid)),
    segmentPoints: (scope, filter, limit) => read(scope, (context) => readPoints(context, filter, limit)),
    segmentValues: (scope, filter, of) => read(scope, (context) => readTagValues(context, filter, of)),
    segmentWork: (scope, filter) => read(scope, (context) => readWork(context, filter)),
    segmentIssues: (scope, filter, errors) => read(scope, (context) => readIssues(context, filter, errors)),
  }
}

/** Lets go of files that nobody uses, now and then; answers what ends it. */
function letGoOfIdle(files: ColumnFiles): () => Promise<void> {
  const letGo = async () => {
    // What DuckDB kept of them is free then, not yet given back.
    if ((await files.rest()) > 0) await returnFreedMemory()
  }
  // One that cannot be detached now is detached later, or with the store.
  return nowAndThen(letGo, { everyMs: max('duckdbFileIdleMs'), failed: () => {} })
}

/** The part of care. */
function careOf({
  files,
  slots,
  write,
  rewriting,
}: {
  readonly files: ColumnFiles
  readonly slots: QuerySlots
  readonly write: (work: () => Promise<void>) => Promise<void>
  readonly rewriting: OneRewrite
}): Omit<ColumnCare, keyof TelemetryStore | 'rows' | 'replace' | 'bytes'> {
  return {
    verify: (file, place) => slots.read((query) => verifyRows({ files, query }, file, place)),
    fileBytes: async () => files.fileBytes(),
    damaged: async () => files.damaged.all(),
    noteGone: () => files.noteGone(),
    noteMissing: async (missing) => files.damaged.noteMissing(missing),
    fileSeq: async (file) => seqOf(files.has(file) ? (await files.facts(file)).appliedSeq : 0),
    countRows: (file, by) => slots.read((query) => countRowsOfFile({ files, query, rules: by }, file)),
    async countGroups(file, { groups, upToSeq }, take) {
      const contents = await slots.read((query) => groupContents({ files, query }, file, groups))
      let isTaken = false
      await write(async () => {
        // One that is missing may be made again: it is not empty.
        if (!files.has(file) || (await files.facts(file)).appliedSeq > upToSeq) return
        await take(contents)
        isTaken = true
      })
      return isTaken
    },
    rewrite: (file, of) => rewriting.run(file, of),
    remove: (file) => write(() => files.remove(file)),
  }
}

/** Events that are stored of a person, over files of whatever kind. */
function personEventsOf({
  files,
  slots,
  rules,
}: {
  readonly files: ColumnFiles
  readonly slots: QuerySlots
  readonly rules: RulesOfToday
}): Pick<PeopleReads, 'personEvents'> {
  return {
    async personEvents(project, person, upToSeq) {
      const sum = new PersonSum(person)
      const lost = new LostSum()
      const context = (query: RunQuery) => ({ files, query, rules: rules.now() })
      const theirs = { project, person, upToSeq }
      for (const file of files.names()) {
        sum.add(await slots.read((query) => personInFile(context(query), file, theirs)))
        lost.add(await slots.read((query) => lostInFile(context(query), file, theirs)))
      }
      for (const file of files.names()) {
        const people = sum.people()
        if (people.length === 0) break
        const of = { ...theirs, people }
        sum.keep(await slots.read((query) => namedByOthers(context(query), file, of)))
      }
      return sum.answer((hash) => lost.of(hash))
    },
  }
}

/** Hidden rows as of today: periods end with the day, whether or not anything was deleted. */
class RulesOfToday {
  readonly #clock: Clock
  #hidden: Hidden = NOTHING_HIDDEN
  #rules: HiddenRules

  constructor(clock: Clock) {
    this.#clock = clock
    this.#rules = new HiddenRules(this.#hidden, dayOf(clock.now()))
  }

  set(hidden: Hidden): void {
    this.#hidden = hidden
    this.#rules = new HiddenRules(hidden, dayOf(this.#clock.now()))
  }

  now(): HiddenRules {
    if (this.#rules.today !== dayOf(this.#clock.now())) this.set(this.#hidden)
    return this.#rules
  }
}

/** Rewrites files, at most one at a time; its connection is interrupted when the store closes. */
class OneRewrite {
  readonly #connect: () => Promise<DuckSession>
  readonly #parts: Omit<Rewriting, 'session'>
  #running: Promise<void> | null = null
  #session: DuckSession | null = null
  #isStopping = false

  constructor(connect: () => Promise<DuckSession>, parts: Omit<Rewriting, 'session'>) {
    this.#connect = connect
    this.#parts = parts
  }

  async run(file: FileName, of: RewriteOptions): Promise<void> {
    assert(this.#running === null, 'one column file is rewritten at a time')
    this.#running = this.#rewrite(file, of)
    try {
      await this.#running
    } finally {
      this.#running = null
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#session?.interrupt()
    await this.#running?.catch(() => {}) // whoever rewrites has the error; the old file serves on
    this.#isStopping = false
  }

  async #rewrite(file: FileName, of: RewriteOptions): Promise<void> {
    const session = await this.#connect()
    this.#session = session
    // A statement that is under way is interrupted; the next must not begin.
    const query: DuckSession['query'] = async (sql, parameters) => {
      if (this.#isStopping) throw new ErrataError('stopping', 'the rewriting of a column file was stopped')
      return session.query(sql, parameters)
    }
    try {
      await rewriteFile({ ...this.#parts, session: { ...session, query } }, file, of)
    } finally {
      this.#session = null
      session.close()
    }
  }
}
