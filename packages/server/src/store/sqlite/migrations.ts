/**
 * Brings a database to the newest schema. The only file that reads `migrations/*.sql`: each is named by a literal
 * `new URL(…, import.meta.url)`, so that a bundler can copy it beside the bundle. A released file is never edited.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { Connection } from './connection.ts'
import { ForeignDatabase, lineageMark, type Migration, markOf, requireLineage } from './lineage.ts'

export type { Migration } from './lineage.ts'

/** The schema that all of them led to before the first release; what changes afterwards is a file of its own behind it. */
const MIGRATIONS: readonly Migration[] = [
  {
    version: 55,
    url: new URL('./migrations/0055-baseline.sql', import.meta.url),
    does: 'makes the tables of a new installation',
    // Of databases that came to it step by step: what they hold is the same.
    mark: 880_533_141,
  },
  {
    version: 58,
    url: new URL('./migrations/0058-overflow.sql', import.meta.url),
    does: 'notes how far the journal of floods is applied',
  },
  {
    version: 59,
    url: new URL('./migrations/0059-attachments.sql', import.meta.url),
    does: 'makes the table of attachments',
  },
  {
    version: 62,
    url: new URL('./migrations/0062-quiet-people.sql', import.meta.url),
    does: 'makes room for quiet hours of people, muted issues and channels of teams',
  },
  {
    version: 63,
    url: new URL('./migrations/0063-quarantined-attachments.sql', import.meta.url),
    does: 'notes the attachments of quarantined envelopes',
  },
  {
    version: 64,
    url: new URL('./migrations/0064-told-people.sql', import.meta.url),
    does: 'keeps what identity providers say of people as they say it',
  },
  {
    version: 65,
    url: new URL('./migrations/0065-preset-rules.sql', import.meta.url),
    does: 'hands alerts of projects to alert rules',
  },
  {
    version: 66,
    url: new URL('./migrations/0066-notice-occasions.sql', import.meta.url),
    does: 'keeps with each notice when that happened of which it tells',
  },
  {
    version: 68,
    url: new URL('./migrations/0068-failed-rules.sql', import.meta.url),
    does: 'makes room for rules that fail, and for moments that were dropped',
  },
  {
    version: 71,
    url: new URL('./migrations/0071-deletions-and-review.sql', import.meta.url),
    does: 'makes indices for deletions and for issues for review',
  },
  {
    version: 72,
    url: new URL('./migrations/0072-shared-texts.sql', import.meta.url),
    does: 'stores once what several people are told by an alert',
  },
  {
    version: 75,
    url: new URL('./migrations/0075-series-by-use.sql', import.meta.url),
    does: 'makes indices for figures of the series that were in use',
  },
  {
    version: 76,
    url: new URL('./migrations/0076-overview.sql', import.meta.url),
    does: 'makes indices for figures of a release and for clicks of a day',
  },
  {
    version: 80,
    url: new URL('./migrations/0080-flag-changes.sql', import.meta.url),
    does: 'makes the table of changes of feature flags',
  },
  {
    version: 82,
    url: new URL('./migrations/0082-waiting-vitals.sql', import.meta.url),
    does: 'notes web vitals that came before their page',
  },
  {
    version: 85,
    url: new URL('./migrations/0085-told-status.sql', import.meta.url),
    does: 'keeps the status and the action that spans told before their request came',
  },
]
const NEWEST = newestVersion(MIGRATIONS)

/** Migrations of the database of artifacts. */
export const ARTIFACT_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    url: new URL('./migrations/0001-artifacts.sql', import.meta.url),
    does: 'makes the tables for artifacts',
  },
  {
    version: 2,
    url: new URL('./migrations/0002-actions.sql', import.meta.url),
    does: 'makes room for the names of server actions',
  },
]

/**
 * Applies what is missing, all of it in one transaction: a step that fails leaves the database as it was. Throws for a
 * database of a newer Errata, and for one that other steps led to, which are left as they are.
 */
export function migrate(
  db: Connection,
  {
    log,
    planLog,
    migrations = MIGRATIONS,
  }: { readonly log: Log; readonly planLog: Log; readonly migrations?: readonly Migration[] },
): void {
  const version = schemaVersion(db)
  const file = basename(db.path)
  const steps = pendingMigrations(db, migrations)
  const scratch = () => Connection.openScratch()
  if (version > 0) requireLineage(db, { migrations, version, scratch })
  if (version > 0 && steps.length > 0) {
    const plan = { from: version, to: newestVersion(migrations), steps: steps.join('; ') }
    planLog.warn('the control database will be migrated; an older Errata will refuse it then', plan)
  }
  const mark = lineageMark(migrations, newestVersion(migrations))
  if (steps.length === 0 && markOf(db) === mark) return
  db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const from = schemaVersion(db)
    for (const migration of migrations) {
      if (migration.version <= from) continue
      db.script(readFileSync(migration.url, 'utf8'))
      if (version > 0) log.info('migrated a database', { file, version: migration.version })
    }
    db.script(`PRAGMA user_version = ${newestVersion(migrations)}; PRAGMA application_id = ${mark}`)
  })
  if (version === 0) log.info('created a database', { file, version: newestVersion(migrations) })
}

/**
 * Throws what `migrate` would throw of a database that is none of ours, before anything opens it to write: that alone
 * changes its file. What a log beside it says, and what is damaged, is for whoever opens it then.
 */
export function refuseUntouched(path: string): void {
  if (sizeOf(path) === 0) return
  try {
    const db = Connection.openUntouched(path)
    try {
      const version = schemaVersion(db)
      pendingMigrations(db, MIGRATIONS)
      // Without a mark the schema is compared, of which the log may hold a part.
      if (version === 0 || (markOf(db) === 0 && sizeOf(`${path}-wal`) > 0)) return
      requireLineage(db, { migrations: MIGRATIONS, version, scratch: () => Connection.openScratch() })
    } finally {
      db.close()
    }
  } catch (cause) {
    if (cause instanceof ForeignDatabase) throw cause
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Returns what `migrate` would do, in order, one sentence a step; empty if nothing. Throws for a database of
 * a newer Errata, and for one from before the first step.
 */
function pendingMigrations(db: Connection, migrations: readonly Migration[]): readonly string[] {
  const version = schemaVersion(db)
  const newest = newestVersion(migrations)
  if (version > newest) throw newerDatabase(db.path, { version, newest })
  const oldest = migrations[0]?.version ?? 0
  if (version > 0 && version < oldest) throw olderDatabase(db.path, { version, oldest })
  return migrations
    .filter((migration) => migration.version > version)
    .map(({ version: to, does }) => `${to}: ${does}`)
}

/** Returns pending migrations of a database that nobody has open here. */
export function pendingMigrationsOf(path: string): readonly string[] {
  const db = Connection.openReader(path)
  try {
    return pendingMigrations(db, MIGRATIONS)
  } finally {
    db.close()
  }
}

/** Throws when the database is not of exactly this version's schema: a reader cannot migrate. */
export function requireMigrated(db: Connection): void {
  const version = schemaVersion(db)
  if (version > NEWEST) throw newerDatabase(db.path, { version, newest: NEWEST })
  if (version < NEWEST) {
    throw new ErrataError(
      'internal',
      `${db.path} has schema ${version}, not ${NEWEST}: start the server once, which migrates it`,
    )
  }
}

function schemaVersion(db: Connection): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
}

function newestVersion(migrations: readonly Migration[]): number {
  return migrations.reduce((newest, { version }) => Math.max(newest, version), 0)
}

function newerDatabase(
  path: string,
  { version, newest }: { readonly version: number; readonly newest: number },
): ForeignDatabase {
  return new ForeignDatabase(
    `${path} was written by a newer Errata (schema ${version}; this one knows up to ${newest}). ` +
      'Start that version, or restore a backup made before the update.',
  )
}

function olderDatabase(
  path: string,
  { version, oldest }: { readonly version: number; readonly oldest: number },
): ForeignDatabase {
  return new ForeignDatabase(
    `${path} was written by an Errata from before the first release (schema ${version}; this one opens ${oldest} and newer), ` +
      `and is left as it is. Start it once with a build that leads to schema ${oldest}, from November 2026, or choose ` +
      'another directory with --data.',
  )
}
