/**
 * Brings a database to the newest schema. The only file that reads `migrations/*.sql`: each is named by a literal
 * `new URL(…, import.meta.url)`, so that a bundler can copy it beside the bundle. A released file is never edited.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { Connection } from './connection.ts'
import { rememberAllWords } from './ingest/facet-words.ts'
import { ForeignDatabase, lineageMark, type Migration, markOf, requireLineage } from './lineage.ts'

export type { Migration } from './lineage.ts'

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    url: new URL('./migrations/0001-control.sql', import.meta.url),
    does: 'makes the tables of a new installation',
  },
  {
    version: 2,
    url: new URL('./migrations/0002-letters.sql', import.meta.url),
    does: 'makes room for emails that carry a link, and for tokens that expire',
  },
  {
    version: 3,
    url: new URL('./migrations/0003-releases.sql', import.meta.url),
    does: 'makes the tables for releases, and room for a quota of uploads',
  },
  {
    version: 4,
    url: new URL('./migrations/0004-release-health.sql', import.meta.url),
    does: 'makes the tables for release health',
  },
  {
    version: 5,
    url: new URL('./migrations/0005-environments.sql', import.meta.url),
    does: 'makes room for the order of environments, and counts events of releases by day',
  },
  {
    version: 6,
    url: new URL('./migrations/0006-release-environments.sql', import.meta.url),
    does: 'makes room for the environments of releases',
  },
  {
    version: 7,
    url: new URL('./migrations/0007-categories.sql', import.meta.url),
    does: 'makes room for the category of an issue',
  },
  {
    version: 8,
    url: new URL('./migrations/0008-requests.sql', import.meta.url),
    does: 'makes the tables for figures of requests',
  },
  {
    version: 9,
    url: new URL('./migrations/0009-mirrors.sql', import.meta.url),
    does: 'makes room for mirrors of server failures within the issues of servers',
  },
  {
    version: 10,
    url: new URL('./migrations/0010-skew.sql', import.meta.url),
    does: 'makes the tables for deploy skew',
  },
  {
    version: 12,
    url: new URL('./migrations/0012-searches.sql', import.meta.url),
    does: 'makes room for saved searches and for links to single issues',
  },
  {
    version: 13,
    url: new URL('./migrations/0013-people.sql', import.meta.url),
    does: 'makes room for subscriptions, bookmarks, priorities and changed comments',
  },
  {
    version: 14,
    url: new URL('./migrations/0014-ownership.sql', import.meta.url),
    does: 'makes room for who owns what of a project',
  },
  {
    version: 16,
    url: new URL('./migrations/0016-channels.sql', import.meta.url),
    does: 'makes the tables for channels and for messages of alerts',
  },
  {
    version: 17,
    url: new URL('./migrations/0017-alerts.sql', import.meta.url),
    does: 'makes the tables for alert rules',
  },
  {
    version: 18,
    url: new URL('./migrations/0018-second-factor.sql', import.meta.url),
    does: 'makes room for passkeys, authenticator apps and recovery codes',
  },
  {
    version: 19,
    url: new URL('./migrations/0019-single-sign-on.sql', import.meta.url),
    does: 'makes the tables for single sign-on and provisioning',
  },
  {
    version: 20,
    url: new URL('./migrations/0020-trackers.sql', import.meta.url),
    does: 'makes the tables for issue trackers',
  },
  {
    version: 21,
    url: new URL('./migrations/0021-oauth.sql', import.meta.url),
    does: 'makes room for apps that people connect',
  },
  {
    version: 22,
    url: new URL('./migrations/0022-guests-and-roles.sql', import.meta.url),
    does: 'makes room for guests of projects, roles within teams and the role of new people',
  },
  {
    version: 23,
    url: new URL('./migrations/0023-whom-alerts-concern.sql', import.meta.url),
    does: 'makes room for authors of suspect commits, and for the projects of alerts',
  },
  {
    version: 24,
    url: new URL('./migrations/0024-undone-choices.sql', import.meta.url),
    does: 'keeps what a choice of assignee or priority replaced',
  },
  {
    version: 25,
    url: new URL('./migrations/0025-skew-deploys.sql', import.meta.url),
    does: 'gathers the stale clicks of a deploy in one issue',
  },
  {
    version: 26,
    url: new URL('./migrations/0026-smaller-issues.sql', import.meta.url),
    does: 'makes what issues and failures are found by smaller',
  },
  {
    version: 29,
    url: new URL('./migrations/0029-merges-to-undo.sql', import.meta.url),
    does: 'keeps what a merge replaced for as long as it can be taken back',
  },
  {
    version: 30,
    url: new URL('./migrations/0030-actions.sql', import.meta.url),
    does: 'makes the tables for figures of server actions',
  },
  {
    version: 31,
    url: new URL('./migrations/0031-segment-hints.sql', import.meta.url),
    does: 'keeps what spans said of a request that came apart from them',
  },
  {
    version: 33,
    url: new URL('./migrations/0033-share-links.sql', import.meta.url),
    does: 'keeps hashes of links to issues in place of the links, and makes room for their end',
  },
  {
    version: 34,
    url: new URL('./migrations/0034-words-of-tags.sql', import.meta.url),
    does: 'makes what issues are found by smaller once more',
    after: rememberAllWords,
  },
  {
    version: 35,
    url: new URL('./migrations/0035-failed-durations.sql', import.meta.url),
    does: 'makes room for how long failed requests take',
  },
  {
    version: 36,
    url: new URL('./migrations/0036-costs-by-kind.sql', import.meta.url),
    does: 'keeps what the time of a route goes to by request kind',
  },
  {
    version: 37,
    url: new URL('./migrations/0037-makers-of-tokens.sql', import.meta.url),
    does: 'says who made the tokens of an organisation',
  },
  {
    version: 38,
    url: new URL('./migrations/0038-addresses-of-mirrors.sql', import.meta.url),
    does: 'counts a visitor once whom a server knows by address and a browser by name',
  },
  {
    version: 39,
    url: new URL('./migrations/0039-addresses-in-slots.sql', import.meta.url),
    does: 'counts such a visitor once in alert rules, too',
  },
  {
    version: 40,
    url: new URL('./migrations/0040-known-routes.sql', import.meta.url),
    does: 'remembers routes, by which requests are named that are told by their address',
  },
  {
    version: 41,
    url: new URL('./migrations/0041-moved-segments.sql', import.meta.url),
    does: 'finds requests by the kind that became known of them later',
  },
  {
    version: 42,
    url: new URL('./migrations/0042-addresses-of-tokens.sql', import.meta.url),
    does: 'keeps which address a token carries',
  },
  {
    version: 43,
    url: new URL('./migrations/0043-former-slugs.sql', import.meta.url),
    does: 'lets former slugs of projects lead to them',
  },
  {
    version: 44,
    url: new URL('./migrations/0044-ownership-cut.sql', import.meta.url),
    does: 'counts new issues for which ownership rules took more steps than they may',
  },
  {
    version: 45,
    url: new URL('./migrations/0045-accounts-of-providers.sql', import.meta.url),
    does: 'notes which organisation manages an account, and which email domains it proved',
  },
  {
    version: 46,
    url: new URL('./migrations/0046-slack-people.sql', import.meta.url),
    does: 'makes room for who people are in Slack',
  },
  {
    version: 47,
    url: new URL('./migrations/0047-parts-of-releases.sql', import.meta.url),
    does: 'lets what is said of a release belong to the projects that it is said of',
  },
  {
    version: 48,
    url: new URL('./migrations/0048-lanes.sql', import.meta.url),
    does: 'finds alerts that wait by their receiver, and by what they tell of',
  },
  {
    version: 49,
    url: new URL('./migrations/0049-former-keys.sql', import.meta.url),
    does: 'remembers whose deleted client keys were, so that no other project takes them over',
  },
  {
    version: 50,
    url: new URL('./migrations/0050-given-names.sql', import.meta.url),
    does: 'keeps given names of people whom an identity provider makes',
  },
  {
    version: 51,
    url: new URL('./migrations/0051-own-organisation.sql', import.meta.url),
    does: 'gives Errata’s own project to the operators of the installation alone, and notes which verified domains lost their record',
  },
  {
    version: 52,
    url: new URL('./migrations/0052-landing.sql', import.meta.url),
    does: 'lets people choose where they begin',
  },
  {
    version: 53,
    url: new URL('./migrations/0053-span-errors.sql', import.meta.url),
    does: 'marks failures that OpenTelemetry recorded on spans',
  },
  {
    version: 54,
    url: new URL('./migrations/0054-inbox.sql', import.meta.url),
    does: 'gives everybody an inbox',
  },
  {
    version: 55,
    url: new URL('./migrations/0055-many-projects.sql', import.meta.url),
    does: 'notes changes of projects one by one, and how many releases of each made room for newer ones',
  },
  {
    version: 58,
    url: new URL('./migrations/0058-overflow.sql', import.meta.url),
    does: 'notes how far the journal of floods is applied',
  },
]
const NEWEST = newestOf(MIGRATIONS)

/** Of the database of artifacts. */
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
    const plan = { from: version, to: newestOf(migrations), steps: steps.join('; ') }
    planLog.warn('the control database will be migrated; an older Errata will refuse it then', plan)
  }
  const mark = lineageMark(migrations, newestOf(migrations))
  if (steps.length === 0 && markOf(db) === mark) return
  db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const from = schemaVersion(db)
    for (const migration of migrations) {
      if (migration.version <= from) continue
      db.script(readFileSync(migration.url, 'utf8'))
      migration.after?.(db)
      if (version > 0) log.info('migrated a database', { file, version: migration.version })
    }
    db.script(`PRAGMA user_version = ${newestOf(migrations)}; PRAGMA application_id = ${mark}`)
  })
  if (version === 0) log.info('created a database', { file, version: newestOf(migrations) })
}

/**
 * Throws what `migrate` would throw of a database that is none of ours, before anything opens it to write: that alone
 * changes its file. What a log beside it says, and what is damaged, is for whoever opens it then.
 */
export function refuseUntouched(path: string, migrations: readonly Migration[] = MIGRATIONS): void {
  if (sizeOf(path) === 0) return
  try {
    const db = Connection.openUntouched(path)
    try {
      const version = schemaVersion(db)
      pendingMigrations(db, migrations)
      // Without a mark the schema is compared, of which the log may hold a part.
      if (version === 0 || (markOf(db) === 0 && sizeOf(`${path}-wal`) > 0)) return
      requireLineage(db, { migrations, version, scratch: () => Connection.openScratch() })
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
 * What `migrate` would do, in its order, one sentence a step; empty when there is nothing to do. Throws for a database
 * of a newer Errata.
 */
function pendingMigrations(db: Connection, migrations: readonly Migration[]): readonly string[] {
  const version = schemaVersion(db)
  const newest = newestOf(migrations)
  if (version > newest) throw newerDatabase(db.path, { version, newest })
  return migrations
    .filter((migration) => migration.version > version)
    .map(({ version: to, does }) => `${to}: ${does}`)
}

/** As `pendingMigrations`, of a database that nobody has open here. */
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

function newestOf(migrations: readonly Migration[]): number {
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
