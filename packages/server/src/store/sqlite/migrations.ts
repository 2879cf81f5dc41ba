/**
 * Brings a database to the newest schema. The only file that reads `migrations/*.sql`: each is named by a literal
 * `new URL(…, import.meta.url)`, so that a bundler can copy it beside the bundle. A released file is never edited.
 */
import { readFileSync } from 'node:fs'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { Connection } from './connection.ts'

interface Migration {
  readonly version: number
  readonly url: URL
  /** What it changes, for whoever starts the new version. */
  readonly does: string
}

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    url: new URL('./migrations/0001-control.sql', import.meta.url),
    does: 'makes the tables of a new installation',
  },
  {
    version: 2,
    url: new URL('./migrations/0002-notices.sql', import.meta.url),
    does: 'adds notices and their deliveries; changes nothing that is stored',
  },
  {
    version: 3,
    url: new URL('./migrations/0003-payload-caps.sql', import.meta.url),
    does: 'counts payloads apart from events; what is stored has one each',
  },
  {
    version: 4,
    url: new URL('./migrations/0004-retention.sql', import.meta.url),
    does: 'numbers deletions, adds those of persons and the state of retention; keeps every deletion',
  },
  {
    version: 5,
    url: new URL('./migrations/0005-group-files.sql', import.meta.url),
    does: 'makes room for what of an issue is in each file; upkeep counts the files that are there',
  },
  {
    version: 6,
    url: new URL('./migrations/0006-notice-echoes.sql', import.meta.url),
    does: 'adds to notices what is told of echoes; takes names of issues out of stored sentences',
  },
  {
    version: 7,
    url: new URL('./migrations/0007-archived-until.sql', import.meta.url),
    does: 'makes room for issues that are archived until a time, or until more users are hit',
  },
  {
    version: 8,
    url: new URL('./migrations/0008-explained-by-events.sql', import.meta.url),
    does: 'takes out why events are one group: each event tells that itself',
  },
  {
    version: 9,
    url: new URL('./migrations/0009-lean-groups.sql', import.meta.url),
    does: 'takes out what groups and issues say twice; every count stays',
  },
  {
    version: 10,
    url: new URL('./migrations/0010-jobs.sql', import.meta.url),
    does: 'makes room for work that runs by the clock',
  },
]
const NEWEST = MIGRATIONS.reduce((newest, { version }) => Math.max(newest, version), 0)

/**
 * Applies what is missing, each file in a transaction of its own together with its number. Throws for a database
 * of a newer Errata, which is left as it is.
 */
export function migrate(
  db: Connection,
  { log, planLog }: { readonly log: Log; readonly planLog: Log },
): void {
  const version = schemaVersion(db)
  const steps = pendingMigrations(db)
  if (version > 0 && steps.length > 0) {
    const plan = { from: version, to: NEWEST, steps: steps.join('; ') }
    planLog.warn('the control database will be migrated; an older Errata will refuse it then', plan)
  }
  for (const migration of MIGRATIONS) {
    if (migration.version <= version) continue
    const sql = readFileSync(migration.url, 'utf8')
    db.transaction(() => {
      // Another process may have migrated while this one waited for the lock.
      if (schemaVersion(db) >= migration.version) return
      db.script(sql)
      db.script(`PRAGMA user_version = ${migration.version}`)
      log.info('migrated the control database', { version: migration.version })
    })
  }
}

/**
 * What `migrate` would do, in its order, one sentence a step; empty when there is nothing to do. Throws for a database
 * of a newer Errata.
 */
function pendingMigrations(db: Connection): readonly string[] {
  const version = schemaVersion(db)
  if (version > NEWEST) throw newerDatabase(db.path, version)
  return MIGRATIONS.filter((migration) => migration.version > version).map(
    ({ version: to, does }) => `${to}: ${does}`,
  )
}

/** As `pendingMigrations`, of a database that nobody has open here. */
export function pendingMigrationsOf(path: string): readonly string[] {
  const db = Connection.openReader(path)
  try {
    return pendingMigrations(db)
  } finally {
    db.close()
  }
}

/** Throws when the database is not of exactly this version's schema: a reader cannot migrate. */
export function requireMigrated(db: Connection): void {
  const version = schemaVersion(db)
  if (version > NEWEST) throw newerDatabase(db.path, version)
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

function newerDatabase(path: string, version: number): ErrataError {
  return new ErrataError(
    'internal',
    `${path} was written by a newer Errata (schema ${version}; this one knows up to ${NEWEST}). ` +
      'Start that version, or restore a backup made before the update.',
  )
}
