/**
 * The column files: one DuckDB file per kind, day of receipt and retention class, attached when needed, at most
 * `duckdbFilesOpenMax` at once unless more are in use. Attaching costs 0.6 ms (2 vCPU, 2026-11-21).
 */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nodeDisk } from '#base/disk.ts'
import { assert, ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Damage } from '#model/damage.ts'
import type { RowTable } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { byNewest, fileStem, filesWithEnding } from '#model/file-name.ts'
import { type AttachedEntry, type AttachedFile, aliasOf, release, untilUnused } from './attached-file.ts'
import { DamagedFiles } from './damaged-files.ts'
import { type DuckSession, duckLiteral, isDamage } from './driver.ts'
import { type FactsFile, readFactsFile, writeFactsFile } from './facts-file.ts'
import { type FileFacts, prepareTables, readFacts } from './file-tables.ts'
import { columnsVersion } from './table-columns.ts'
import { type EncodedRows, insertRows } from './table-sql.ts'

const ENDING = '.duckdb'
/**
 * The oldest format with compressed dictionaries: 219 instead of 315 bytes a row, and less work to write and to filter
 * by tag (2 vCPU, 2026-11-21).
 * Blocks of a quarter of the usual size: a file of 12,000 rows takes 138 instead of 198 bytes a row and one of 3,000 half
 * as much, one of 45,000 the same; reads, too (2026-11-22).
 */
const NEW_FILE = "(STORAGE_VERSION 'v1.4.0', BLOCK_SIZE 65536)"
/** Ending of a file that will replace the one beside it. */
const FRESH = '.new'
const FRESH_ENDINGS = [FRESH, `${FRESH}.wal`]

const NO_FACTS: FileFacts = { appliedSeq: 0, leastMs: null, greatestMs: null }

export interface ColumnFilesOptions {
  /** Tables of every kind that has files; files of any other are left alone. */
  readonly tables: readonly RowTable[]
  readonly catalog: DuckSession
  readonly writer: DuckSession
  readonly log: Log
  readonly whenDamaged: 'set aside' | 'leave'
  readonly onDamage?: (damage: Damage) => void
}

export class ColumnFiles {
  readonly #setsAside: boolean
  readonly #directory: string
  readonly #tables: ReadonlyMap<string, RowTable>
  readonly #factsFile: FactsFile
  readonly #catalog: DuckSession
  readonly #writer: DuckSession
  readonly #known: Map<string, FileName>
  readonly #facts: Map<string, FileFacts>
  /** Files seen to have their tables. Asking one costs more the more are attached: 5 ms with ninety. */
  readonly #complete: Set<string>
  /** Attached files, least recently used first. */
  readonly #attached = new Map<string, AttachedEntry>()
  /** Used since the last `rest`. */
  readonly #usedLately = new Set<string>()
  /** Attaching and detaching, one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  readonly damaged: DamagedFiles

  /** Two connections: a file attached for a reader must not become part of the writer's transaction. */
  constructor(
    directory: string,
    { tables, log, whenDamaged, onDamage = () => {}, ...sessions }: ColumnFilesOptions,
  ) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#directory = directory
    this.#tables = new Map(tables.map((table) => [table.kind, table]))
    const pathOf = (stem: string) => this.#path(stem)
    this.#factsFile = { directory, pathOf, version: columnsVersion(tables) }
    this.#setsAside = whenDamaged === 'set aside'
    this.#catalog = sessions.catalog
    this.#writer = sessions.writer
    const names = readdirSync(directory)
    for (const name of names) {
      // Of a rewrite that was cut short.
      if (FRESH_ENDINGS.some((ending) => name.endsWith(`${ENDING}${ending}`))) rmSync(join(directory, name))
    }
    const files = filesWithEnding(names, ENDING).filter(({ kind }) => this.#tables.has(kind))
    this.#known = new Map(files.map((file) => [fileStem(file), file]))
    this.damaged = new DamagedFiles({ names, ending: ENDING, pathOf, log, onDamage })
    this.#facts = readFactsFile(this.#factsFile)
    this.#complete = new Set(this.#facts.keys())
  }

  /** Newest first. */
  names(): readonly FileName[] {
    return [...this.#known.values()].sort(byNewest)
  }

  has(file: FileName): boolean {
    return this.#known.has(fileStem(file))
  }

  /** Bytes on disk, write-ahead logs included. */
  bytes(): number {
    return this.fileBytes().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Runs `work` while the file is attached; makes the file where there is none. */
  async use<T>(file: FileName, work: (attached: AttachedFile) => Promise<T>): Promise<T> {
    const entry = await this.#inTurn(() => this.#attach(file))
    return this.#useEntry(entry, work)
  }

  /** Uses a file that exists, and returns `absent` for any other: reading never makes one. */
  async read<T>(file: FileName, absent: T, work: (attached: AttachedFile) => Promise<T>): Promise<T> {
    const entry = await this.#inTurn(async () => (this.has(file) ? this.#attach(file) : null))
    return entry === null ? absent : this.#useEntry(entry, work)
  }

  /**
   * Uses a file with everything that it should hold; refuses one that is gone or was set aside, and makes
   * none.
   */
  async useWhole<T>(file: FileName, work: (attached: AttachedFile) => Promise<T>): Promise<T> {
    const entry = await this.#inTurn(async () => (this.has(file) ? this.#attach(file) : null))
    const lacking = () =>
      new ErrataError('internal', `column file ${fileStem(file)} lacks rows: "errata rebuild" makes it anew`)
    if (entry === null) throw lacking()
    return this.#useEntry(entry, async (attached) => {
      // Attaching may have set it aside and begun another.
      if (this.damaged.has(file)) throw lacking()
      return work(attached)
    })
  }

  /** Reads several files at once; missing ones are left out. */
  async readAll<T>(
    files: readonly FileName[],
    work: (attached: readonly AttachedFile[]) => Promise<T>,
  ): Promise<T> {
    const held: AttachedEntry[] = []
    let isDamaged = false
    try {
      // In one turn: whoever held one file and waited for the next would keep a removal from ending.
      await this.#inTurn(async () => {
        for (const file of files) if (this.has(file)) held.push(await this.#attach(file))
      })
      return await work(held)
    } catch (error) {
      isDamaged = isDamage(error)
      throw error
    } finally {
      held.forEach(release)
      if (isDamaged) await this.#findDamage(held, work)
    }
  }

  /** Which of several files a query fell over: each is asked alone, and set aside where it fails. */
  async #findDamage<T>(
    held: readonly AttachedEntry[],
    work: (attached: readonly AttachedFile[]) => Promise<T>,
  ): Promise<void> {
    for (const entry of held) {
      const alone = this.read(entry.file, null, async (attached) => work([attached]))
      await alone.catch(() => {}) // `read` has set aside what is damaged; the caller's own error follows
    }
  }

  async #useEntry<T>(entry: AttachedEntry, work: (attached: AttachedFile) => Promise<T>): Promise<T> {
    let damage: unknown = null
    try {
      return await work(entry)
    } catch (error) {
      if (this.#setsAside && isDamage(error)) damage = error
      throw this.damaged.unreadable(entry.file, error)
    } finally {
      release(entry)
      if (damage !== null) await this.#setAsideUnused(entry, damage)
    }
  }

  /** Facts as of the last committed transaction; reads them from the file the first time. */
  async facts(file: FileName): Promise<FileFacts> {
    const known = this.#facts.get(fileStem(file))
    return known ?? this.read(file, NO_FACTS, async () => this.#facts.get(fileStem(file)) ?? NO_FACTS)
  }

  /** After a transaction that changed them, never before. */
  setFacts(file: FileName, facts: FileFacts): void {
    this.#facts.set(fileStem(file), facts)
  }

  /** Forgets what is in memory of a file whose transaction failed, and lets go of it where nobody reads it. */
  async forget(file: FileName): Promise<void> {
    const stem = fileStem(file)
    this.#facts.delete(stem)
    this.#complete.delete(stem)
    await this.#inTurn(async () => {
      const entry = this.#attached.get(stem)
      if (entry !== undefined && entry.users === 0) await this.#detach(stem, entry)
    })
  }

  /** The insert of the writer, planned once per attached file. */
  async insert({ file, alias, table }: AttachedFile, rows: EncodedRows): Promise<void> {
    const entry = this.#attached.get(fileStem(file))
    let statement = entry?.inserts.get(rows.form)
    if (statement === undefined) {
      statement = await this.#writer.prepare(insertRows(table, alias, rows.form))
      entry?.inserts.set(rows.form, statement)
    }
    await statement.run([rows.text])
  }

  get attachedCount(): number {
    return this.#attached.size
  }

  /** Lets go of the files that nobody used since the last call, with what DuckDB keeps of them; answers how many. */
  async rest(): Promise<number> {
    return this.#inTurn(async () => {
      let released = 0
      for (const [stem, entry] of this.#attached) {
        if (entry.users > 0 || this.#usedLately.has(stem)) continue
        await this.#detach(stem, entry)
        released++
      }
      this.#usedLately.clear()
      return released
    })
  }

  /** Notes the files that somebody deleted, and lets go of those that nobody reads. */
  async noteGone(): Promise<void> {
    await this.#inTurn(async () => {
      for (const [stem, file] of this.#known) {
        if (!this.damaged.noteIfGone(file)) continue
        const entry = this.#attached.get(stem)
        if (entry !== undefined && entry.users > 0) continue
        if (entry !== undefined) await this.#detach(stem, entry)
        this.#letGoOf(stem)
      }
    })
  }

  /** Folds the logs of all attached files in: until then their newest rows cannot leave memory. */
  async checkpoint(): Promise<void> {
    await this.#inTurn(async () => {
      for (const { alias } of this.#attached.values()) await this.#catalog.query(`CHECKPOINT ${alias}`)
    })
  }

  /**
   * Makes a file of the same name beside the present one, lets `fill` write it, and puts it in its place. The present
   * one is not opened: it may be unreadable. A crash leaves the old one, the new one, or none, which a start notices.
   */
  async replace(file: FileName, fill: (alias: string) => Promise<FileFacts>): Promise<void> {
    const stem = fileStem(file)
    const path = this.#path(stem)
    const alias = await this.makeFresh(file)
    let facts: FileFacts
    try {
      facts = await fill(alias)
    } catch (error) {
      await this.dropFresh(file)
      throw error
    }
    await this.#inTurn(async () => {
      await this.#finishFresh(file)
      const entry = this.#attached.get(stem)
      if (entry !== undefined) {
        assert(entry.users === 0, 'nobody reads a column file while it is replaced')
        await this.#detach(stem, entry)
      }
      // The old log goes before the new file comes; without its file it would be missed aloud, not read as complete.
      rmSync(path, { force: true })
      rmSync(`${path}.wal`, { force: true })
      renameSync(`${path}${FRESH}`, path)
      await nodeDisk.syncDirectory(this.#directory)
      this.damaged.forget(file)
      this.#known.set(stem, file)
      this.#complete.add(stem)
      this.#facts.set(stem, facts)
    })
  }

  /** Bytes on disk of each file, its write-ahead log included. */
  fileBytes(): readonly { readonly file: FileName; readonly bytes: number }[] {
    return [...this.#known.values()].map((file) => ({ file, bytes: this.sizeOf(file) }))
  }

  /** Returns the size of one file. */
  sizeOf(file: FileName): number {
    const path = this.#path(fileStem(file))
    return sizeOf(path) + sizeOf(`${path}.wal`)
  }

  /** Unlinks a file once nobody reads it. From now on it is not there. */
  async remove(file: FileName): Promise<void> {
    const stem = fileStem(file)
    this.#known.delete(stem)
    await this.#inTurn(async () => {
      const entry = this.#attached.get(stem)
      if (entry !== undefined) {
        await untilUnused(entry)
        await this.#detach(stem, entry)
      }
      this.#facts.delete(stem)
      this.#complete.delete(stem)
      const path = this.#path(stem)
      this.damaged.forget(file)
      for (const ending of ['.wal', '', ...FRESH_ENDINGS]) rmSync(`${path}${ending}`, { force: true })
      await nodeDisk.syncDirectory(this.#directory)
    })
  }

  /** Makes an empty file with tables beside one of the same name, for `replace`, `swap` or `dropFresh`. */
  makeFresh(file: FileName): Promise<string> {
    // In turn: the catalog's connection must not be inside another file's transaction.
    return this.#inTurn(async () => {
      const path = `${this.#path(fileStem(file))}${FRESH}`
      for (const left of [path, `${path}.wal`]) rmSync(left, { force: true })
      const alias = freshAlias(file)
      await this.#catalog.query(`ATTACH ${duckLiteral(path)} AS ${alias} ${NEW_FILE}`)
      await prepareTables(this.#catalog, this.#tableOf(file), alias)
      return alias
    })
  }

  dropFresh(file: FileName): Promise<void> {
    return this.#inTurn(async () => {
      await this.#catalog.query(`DETACH DATABASE IF EXISTS ${freshAlias(file)}`)
      const path = this.#path(fileStem(file))
      for (const ending of FRESH_ENDINGS) rmSync(`${path}${ending}`, { force: true })
    })
  }

  /** Puts the fresh file, complete, in the place of the old one, once nobody reads that. */
  async swap(file: FileName, facts: FileFacts): Promise<void> {
    const stem = fileStem(file)
    const path = this.#path(stem)
    await this.#inTurn(async () => {
      await this.#finishFresh(file)
      // Its log is folded in first: beside the fresh file it would be taken for that one's.
      const entry = this.#attached.get(stem) ?? (await this.#open(file))
      await untilUnused(entry)
      await this.#catalog.query(`CHECKPOINT ${entry.alias}`)
      await this.#detach(stem, entry)
      assert(sizeOf(`${path}.wal`) === 0, 'a checkpointed column file has no log')
      renameSync(`${path}${FRESH}`, path)
      await nodeDisk.syncDirectory(this.#directory)
      this.#facts.set(stem, facts)
    })
  }

  /** Folds the fresh file's log in and lets go of it: only its name is wrong now. */
  async #finishFresh(file: FileName): Promise<void> {
    await this.#catalog.query(`CHECKPOINT ${freshAlias(file)}`)
    await this.#catalog.query(`DETACH ${freshAlias(file)}`)
    chmodSync(`${this.#path(fileStem(file))}${FRESH}`, 0o600)
  }

  /** So that the next start, after whatever end, need not ask the files that have not changed by then. */
  noteFacts(): void {
    writeFactsFile(this.#factsFile, this.#facts)
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      for (const [stem, entry] of this.#attached) await this.#detach(stem, entry)
    })
    this.noteFacts()
  }

  async #attach(file: FileName): Promise<AttachedEntry> {
    const stem = fileStem(file)
    const entry = this.#attached.get(stem) ?? (await this.#openOrSetAside(file))
    this.#attached.delete(stem)
    this.#attached.set(stem, entry)
    if (!this.#facts.has(stem)) this.#facts.set(stem, await readFacts(this.#catalog, entry.alias))
    this.#usedLately.add(stem)
    entry.users++
    return entry
  }

  /**
   * Opens a file, or sets an unreadable one aside for a new one: new events are stored, whatever happened to
   * others.
   */
  async #openOrSetAside(file: FileName): Promise<AttachedEntry> {
    try {
      // One that is made in its place has no tables yet.
      if (this.#setsAside && this.has(file) && this.damaged.noteIfGone(file)) this.#letGoOf(fileStem(file))
      const entry = await this.#open(file)
      try {
        if (!this.#facts.has(fileStem(file)))
          this.#facts.set(fileStem(file), await readFacts(this.#catalog, entry.alias))
      } catch (error) {
        await this.#detach(fileStem(file), entry)
        throw error
      }
      return entry
    } catch (error) {
      if (!this.#setsAside || !isDamage(error)) throw this.damaged.unreadable(file, error)
      await this.#setAside(file, error)
      return this.#open(file)
    }
  }

  /** After a query met damage. While others read the file it stays; the last of them finds the same. */
  async #setAsideUnused({ file }: AttachedEntry, cause: unknown): Promise<void> {
    await this.#inTurn(async () => {
      const stem = fileStem(file)
      const entry = this.#attached.get(stem)
      if (entry === undefined || entry.users > 0) return
      await this.#detach(stem, entry)
      await this.#setAside(file, cause)
    })
  }

  async #setAside(file: FileName, cause: unknown): Promise<void> {
    const stem = fileStem(file)
    this.damaged.setAside(file, cause)
    this.#letGoOf(stem)
    await nodeDisk.syncDirectory(this.#directory)
  }

  /** Forgets a file that does not exist any more. */
  #letGoOf(stem: string): void {
    this.#known.delete(stem)
    this.#complete.delete(stem)
    this.#facts.delete(stem)
  }

  async #open(file: FileName): Promise<AttachedEntry> {
    await this.#detachOldest()
    const stem = fileStem(file)
    const alias = aliasOf(file)
    const path = this.#path(stem)
    const options = sizeOf(path) === 0 ? NEW_FILE : ''
    await this.#catalog.query(`ATTACH ${duckLiteral(path)} AS ${alias} ${options}`)
    const table = this.#tableOf(file)
    const entry: AttachedEntry = { file, alias, table, users: 0, onUnused: null, inserts: new Map() }
    try {
      if (!this.#complete.has(stem)) await prepareTables(this.#catalog, table, alias)
      chmodSync(this.#path(stem), 0o600)
      this.#complete.add(stem)
    } catch (error) {
      await this.#detach(stem, entry)
      throw error
    }
    this.#attached.set(stem, entry)
    this.#known.set(stem, file)
    return entry
  }

  async #detachOldest(): Promise<void> {
    for (const [stem, entry] of this.#attached) {
      if (this.#attached.size < max('duckdbFilesOpenMax')) return
      if (entry.users === 0) await this.#detach(stem, entry)
    }
  }

  async #detach(stem: string, entry: AttachedEntry): Promise<void> {
    for (const statement of entry.inserts.values()) statement.close()
    this.#attached.delete(stem)
    try {
      await this.#catalog.query(`DETACH ${entry.alias}`)
    } catch (error) {
      // Without the memory to fold its log in, it is detached all the same; whoever attaches it reads the log.
      if (!(error instanceof Error && error.message.includes('Detached database'))) throw error
    }
  }

  #tableOf({ kind }: FileName): RowTable {
    const table = this.#tables.get(kind)
    assert(table !== undefined, `the column store knows the table of ${kind}`)
    return table
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {}) // the caller has the error; the next in line starts afresh
    return turn
  }

  #path(stem: string): string {
    return join(this.#directory, `${stem}${ENDING}`)
  }
}

function freshAlias(file: FileName): string {
  return `${aliasOf(file)}_new`
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
