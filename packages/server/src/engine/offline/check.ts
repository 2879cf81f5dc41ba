/** Checks of `errata check` that do not read every event; `upkeep.ts` has those that do. */
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { byteSizeText, countText } from '#base/byte-size.ts'
import { systemClock } from '#base/clock.ts'
import { bytesBelow } from '#base/directory-bytes.ts'
import { type Disk, nodeDisk } from '#base/disk.ts'
import { type Log, silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import { fileStem, filesWithEnding } from '#model/file-name.ts'
import type { Finding } from '#store/embedded/care/deep-check.ts'
import { SEGMENT_HEADER_BYTES } from '#store/segments/format.ts'
import { openSegments } from '#store/segments/segments.ts'
import { Connection } from '#store/sqlite/connection.ts'
import { pendingMigrationsOf } from '#store/sqlite/migrations.ts'
import { appliedOverflow, appliedSeq } from '#store/sqlite/rows/applied-seq.ts'
import { refuseLostControl, refuseOlderControl } from '../directory/control-check.ts'
import { DirectoryInUse, lockDirectory } from '../directory/lock.ts'
import {
  artifactIndexPath,
  artifactsPath,
  columnsPath,
  controlPath,
  journalPath,
  lockPath,
  payloadsPath,
  refuseUnfinishedRestore,
} from '../directory/paths.ts'

export type { Finding } from '#store/embedded/care/deep-check.ts'

/** Looks at a data directory without changing it; works beside a running server. */
export async function checkDirectory(settings: Settings): Promise<readonly Finding[]> {
  const findings: Finding[] = [{ ok: true, name: 'settings', detail: 'every setting can be read' }]
  try {
    refuseUnfinishedRestore(settings.data)
    refuseLostControl(settings.data)
  } catch (cause) {
    return [...findings, failedFinding('control store', cause)]
  }
  if (!existsSync(controlPath(settings.data))) {
    return [
      ...findings,
      { ok: true, name: 'data', detail: `${settings.data} is empty; "errata serve" fills it` },
    ]
  }
  const control = checkControl(controlPath(settings.data))
  findings.push(control)
  if (control.ok) findings.push(...(await checkTogether(settings.data)))
  for (const [name, path] of [
    ['journal', journalPath(settings.data)],
    ['columns', columnsPath(settings.data)],
    ['payloads', payloadsPath(settings.data)],
  ] as const) {
    findings.push(await checkSize(name, path))
  }
  const artifacts = existsSync(artifactIndexPath(settings.data)) ? [await checkArtifacts(settings.data)] : []
  return [...findings, ...artifacts, ...(await missingColumns(settings.data))]
}

/** Checks uploads: their database, and that each bundle it names is there as long as it should be. */
async function checkArtifacts(data: string): Promise<Finding> {
  const name = 'artifacts'
  const path = artifactIndexPath(data)
  const database = checkDatabase(name, path, () => '')
  if (!database.ok) return database
  try {
    const index = new DatabaseSync(path, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
    let rows: readonly Readonly<Record<string, unknown>>[]
    try {
      const sql = 'SELECT org_id, sha1, max(bytes) AS bytes FROM bundles GROUP BY org_id, sha1'
      rows = index.prepare(sql).all()
    } finally {
      index.close()
    }
    // Absent until something is uploaded; a restore makes it for what it holds alone.
    const directory = artifactsPath(data)
    const bytes = existsSync(directory) ? await bytesBelow(directory) : 0
    const lost: string[] = []
    for (const { org_id: org, sha1, bytes: expected } of rows) {
      const file = await stat(join(directory, 'bundles', String(org), String(sha1))).catch(() => null)
      if (file?.size !== expected) lost.push(String(sha1))
    }
    if (lost.length > 0) {
      const detail = `${lost.length} of ${rows.length} bundles are missing or cut short: upload them again (${lost[0]})`
      return { ok: false, name, detail }
    }
    return { ok: true, name, detail: `${countText(rows.length, 'bundle')}, ${byteSizeText(bytes)}` }
  } catch (cause) {
    return failedFinding(name, cause)
  }
}

/** Columns that were set aside or deleted while their payloads are there. */
async function missingColumns(data: string): Promise<readonly Finding[]> {
  const stems = async (path: string, ending: string) =>
    existsSync(path) ? filesWithEnding(await readdir(path), ending).map(fileStem) : []
  const columns = await stems(columnsPath(data), '.duckdb')
  const damaged = await stems(columnsPath(data), '.duckdb.damaged')
  const payloads = await stems(payloadsPath(data), '.seg')
  const missing = payloads.filter((stem) => damaged.includes(stem) || !columns.includes(stem))
  return missing.map((stem) => ({
    ok: false,
    name: `columns ${stem}`,
    detail: `missing or damaged: "errata rebuild --file ${stem}" makes them from the payloads`,
  }))
}

function checkControl(path: string): Finding {
  return checkDatabase('control store', path, () => willMigrate(path))
}

function checkDatabase(name: string, path: string, whenSound: () => string): Finding {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: max('sqliteBusyTimeoutMs') })
    try {
      const answers = database.prepare('PRAGMA quick_check(5)').all()
      const problems = answers.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok')
      const found = problems.length === 0 ? `sound${whenSound()}` : problems.join('; ')
      return { ok: problems.length === 0, name, detail: found }
    } finally {
      database.close()
    }
  } catch (cause) {
    return failedFinding(name, cause)
  }
}

function willMigrate(path: string): string {
  const steps = pendingMigrationsOf(path)
  return steps.length === 0 ? '' : `; the next start migrates it: ${steps.join('; ')}`
}

async function checkSize(name: string, path: string): Promise<Finding> {
  if (!existsSync(path)) return { ok: true, name, detail: 'none yet' }
  const below = await readdir(path, { recursive: true, withFileTypes: true })
  const files = below.filter((entry) => entry.isFile())
  let bytes = 0
  for (const { parentPath, name: file } of files) bytes += (await stat(join(parentPath, file))).size
  return { ok: true, name, detail: `${countText(files.length, 'file')}, ${byteSizeText(bytes)}` }
}

/**
 * Finds what a start would refuse: payloads that the control store does not know, or that nobody can read.
 * Skipped while a server uses the directory: it has looked, and goes on writing.
 */
async function checkTogether(data: string): Promise<readonly Finding[]> {
  const name = 'control and payloads'
  try {
    const unlock = lockDirectory(data, lockPath(data))
    try {
      return [await checkAge(name, data)]
    } finally {
      unlock()
    }
  } catch (cause) {
    return cause instanceof DirectoryInUse ? [] : [failedFinding(name, cause)]
  }
}

async function checkAge(name: string, data: string): Promise<Finding> {
  const directory = payloadsPath(data)
  if (!existsSync(directory)) return { ok: true, name, detail: 'no payloads yet' }
  const said: string[] = []
  const log: Log = { ...silentLog, error: (message) => void said.push(message) }
  const segments = openSegments({ directory, log, disk: READ_ONLY })
  const db = Connection.openReader(controlPath(data))
  try {
    await refuseOlderControl(data, {
      control: { appliedSeq: async () => appliedSeq(db), appliedOverflow: async () => appliedOverflow(db) },
      segments: {
        // One that a crash left without its header is made anew by a start.
        files: async () =>
          (await segments.fileBytes())
            .filter(({ bytes }) => bytes > SEGMENT_HEADER_BYTES)
            .map(({ file }) => file),
        newestBatches: (file, count) => segments.newestBatches(file, count),
      },
      clock: systemClock,
      log,
    })
    return { ok: said.length === 0, name, detail: said.length === 0 ? 'of the same state' : said.join('; ') }
  } finally {
    db.close()
    await segments.close()
  }
}

/** A file that is not as it should be is told of, not mended. */
const READ_ONLY: Disk = { ...nodeDisk, open: (path) => nodeDisk.open(path, 'read') }

function failedFinding(name: string, cause: unknown): Finding {
  return { ok: false, name, detail: cause instanceof Error ? cause.message : String(cause) }
}
