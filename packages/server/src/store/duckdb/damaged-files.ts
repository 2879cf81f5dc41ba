/**
 * Column files that could not be understood: kept under another name for a person, and remembered until they are made
 * anew, whether or not a file of the old name has come back with newer rows.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Log } from '#base/log.ts'
import type { Damage } from '#model/damage.ts'
import type { FileName } from '#model/file-name.ts'
import { byNewest, fileStem, filesWithEnding } from '#model/file-name.ts'
import { isUnreadable } from './driver.ts'

const DAMAGED = '.damaged'
/** A file and its write-ahead log. */
const PARTS = ['', '.wal']
/** Most characters of a reason in the log. */
const REASON_CHARS = 200

export interface DamagedFilesOptions {
  /** Names in the directory, and the ending of a sound file. */
  readonly names: readonly string[]
  readonly ending: string
  readonly pathOf: (stem: string) => string
  readonly log: Log
  /** Hears of a file that is damaged, gone or cannot be read. */
  readonly onDamage: (damage: Damage) => void
}

export class DamagedFiles {
  readonly #pathOf: (stem: string) => string
  readonly #log: Log
  readonly #onDamage: DamagedFilesOptions['onDamage']
  readonly #files: Map<string, FileName>

  constructor({ names, ending, pathOf, log, onDamage }: DamagedFilesOptions) {
    this.#pathOf = pathOf
    this.#log = log
    this.#onDamage = onDamage
    const found = filesWithEnding(names, `${ending}${DAMAGED}`)
    this.#files = new Map(found.map((file) => [fileStem(file), file]))
  }

  /** Newest first. */
  all(): readonly FileName[] {
    return [...this.#files.values()].sort(byNewest)
  }

  has(file: FileName): boolean {
    return this.#files.has(fileStem(file))
  }

  /** Renames a file that nobody has attached, with its log. An earlier one of the same name gives way. */
  setAside(file: FileName, cause: unknown): void {
    const path = this.#pathOf(fileStem(file))
    this.#log.error('a column file is damaged and set aside: stop, run "errata rebuild", start', {
      file: `${path}${DAMAGED}`,
      reason: sentence(cause),
    })
    for (const part of PARTS) {
      if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${path}${DAMAGED}${part}`)
    }
    this.#files.set(fileStem(file), file)
    this.#onDamage({ code: 'columns_missing', file, detail: 'set aside' })
  }

  /** Notes a file that was there and is gone by now: a new one in its place would read as complete. */
  noteIfGone(file: FileName): boolean {
    if (existsSync(this.#pathOf(fileStem(file)))) return false
    if (!this.has(file)) {
      this.#log.error('a column file is gone: stop, run "errata rebuild", start', { file: fileStem(file) })
      this.noteMissing([file])
      this.#onDamage({ code: 'columns_missing', file, detail: 'deleted' })
    }
    return true
  }

  /** Tells of a file that the disk does not give; answers the error. */
  unreadable(file: FileName, cause: unknown): unknown {
    if (isUnreadable(cause)) this.#onDamage({ code: 'columns_unreadable', file, detail: sentence(cause) })
    return cause
  }

  /** Remembers files that are gone. */
  noteMissing(files: readonly FileName[]): void {
    for (const file of files) {
      writeFileSync(`${this.#pathOf(fileStem(file))}${DAMAGED}`, '', { flag: 'a', mode: 0o600 })
      this.#files.set(fileStem(file), file)
    }
  }

  /** The file was made anew, or is past its time. */
  forget(file: FileName): void {
    for (const part of PARTS) rmSync(`${this.#pathOf(fileStem(file))}${DAMAGED}${part}`, { force: true })
    this.#files.delete(fileStem(file))
  }
}

function sentence(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_CHARS)
}
