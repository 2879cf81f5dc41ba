/**
 * Keeps facts of column files beside them, so that a start opens none that has not changed: attaching one and
 * asking costs 5 ms. Not authoritative: an entry counts only for a file of exactly that length and time of
 * change that has no log beside it, and the whole may be deleted.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '#base/json.ts'
import type { FileFacts } from './file-tables.ts'

/** Name in a folder of its own, beside the spilled data's: the other files there are column files. */
const NAME = 'facts/facts.json'

type Entry = readonly [
  stem: string,
  bytes: number,
  changedMs: number,
  appliedSeq: number,
  leastMs: number | null,
  greatestMs: number | null,
]

/** Parts of the facts file. */
export interface FactsFile {
  readonly directory: string
  /** Returns the path of a stem's file. */
  readonly pathOf: (stem: string) => string
  /** Changes with the columns of any kind: a file that is listed is known to have those of today. */
  readonly version: string
}

/** Facts by stem of the files for which they still hold. */
export function readFactsFile(of: FactsFile): Map<string, FileFacts> {
  const facts = new Map<string, FileFacts>()
  for (const [stem, bytes, changedMs, appliedSeq, leastMs, greatestMs] of readFactsEntries(of)) {
    const state = fileState(of.pathOf(stem))
    if (state === null || state.bytes !== bytes || state.changedMs !== changedMs) continue
    facts.set(stem, { appliedSeq, leastMs, greatestMs })
  }
  return facts
}

/** Writes the facts of all files that are at rest. Whether that succeeds changes nothing but the next start. */
export function writeFactsFile(
  { directory, pathOf, version }: FactsFile,
  facts: ReadonlyMap<string, FileFacts>,
): void {
  const entries: Entry[] = []
  for (const [stem, { appliedSeq, leastMs, greatestMs }] of facts) {
    const state = fileState(pathOf(stem))
    if (state !== null) entries.push([stem, state.bytes, state.changedMs, appliedSeq, leastMs, greatestMs])
  }
  const path = join(directory, NAME)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.new`, JSON.stringify({ version, entries }), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch {
    rmSync(`${path}.new`, { force: true })
  }
}

/** `null` for a file that is not there, or has rows in a log that are not in it yet. */
function fileState(path: string): { readonly bytes: number; readonly changedMs: number } | null {
  const file = statSync(path, { throwIfNoEntry: false })
  const log = statSync(`${path}.wal`, { throwIfNoEntry: false })
  if (file === undefined || (log !== undefined && log.size > 0)) return null
  return { bytes: file.size, changedMs: Math.floor(file.mtimeMs) }
}

function readFactsEntries({ directory, version }: FactsFile): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(directory, NAME), 'utf8'))
    if (!isObject(stored) || stored.version !== version || !Array.isArray(stored.entries)) return []
    return stored.entries.filter(isEntry)
  } catch {
    return [] // not there, or not whole: every file is asked itself
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 6 || typeof value[0] !== 'string') return false
  const isTime = (time: unknown) => time === null || Number.isFinite(time)
  return value.slice(1, 4).every(Number.isSafeInteger) && isTime(value[4]) && isTime(value[5])
}
