/**
 * The command line's own small engine: the control store opened in this process, before or beside a running server
 * (SQLite lets two processes write in turn), which must be of the same version. No journal, no columns, no threads.
 */

import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Accept } from '#accept/types.ts'
import { newOrgToken, secretHash } from '#access/secrets.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { createLog, type Log } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import { createChanges } from '#commands/changes.ts'
import { type Commands, createCommands } from '#commands/commands.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import type { Actor } from '#ports/scope.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { openControlWriter } from '#store/sqlite/control-writer.ts'
import { pendingMigrationsOf } from '#store/sqlite/migrations.ts'
import { notedAddress } from '../directory/address.ts'
import { refuseLostControl } from '../directory/control-check.ts'
import { DirectoryInUse, lockDirectory } from '../directory/lock.ts'
import { controlPath, lockPath, makeDataDirectory } from '../directory/paths.ts'
import { openSeal } from '../directory/seal-key.ts'

export interface LocalEngine {
  readonly publicAddress: PublicAddress
  /** False while `publicAddress` is a guess: none was set, and no server has run on these data. */
  readonly knowsAddress: boolean
  readonly commands: Commands
  /** Makes an organisation token and answers its text. Throws a sentence when there is no such organisation. */
  createToken(
    organisation: string,
    token: { readonly name: string; readonly scopes: readonly string[] },
  ): Promise<string>
  /** Slug of the one organisation. Throws a sentence when there are none or several. */
  onlyOrganisation(): Promise<string>
  close(): Promise<void>
}

/** Characters of a token that lists show. */
const TOKEN_TAIL = 4
const START_WAIT_MS = max('serverStartWaitMs')

/** `waitMs`: how long a server that has just been started may take to make or migrate the control store. */
export async function openLocalEngine(settings: Settings, waitMs = START_WAIT_MS): Promise<LocalEngine> {
  makeDataDirectory(settings.data)
  refuseLostControl(settings.data)
  const log = createLog({ level: settings.logLevel, thread: 'command line' })
  const clock = systemClock
  const random = systemRandom
  const { reader, writer } = await openLocalControl(settings.data, { clock, log, waitMs })
  const { publicAddress, knowsAddress } = await localAddress(settings, await reader.publicUrl(), waitMs)
  const changes = createChanges(writer)
  const commands = createCommands({
    changes,
    accounts: reader,
    secondFactors: reader,
    seal: openSeal(settings.data),
    projects: reader,
    issues: reader,
    releases: reader,
    accept: NO_INGEST,
    clock,
    random,
    publicAddress,
    reservedSlugs: [],
    // A running server looks at the directory's version every second.
    onDirectoryChanged: async () => {},
  })
  return {
    publicAddress,
    knowsAddress,
    commands,
    async createToken(slug, { name, scopes }) {
      const organisation = (await reader.organisations()).find((each) => each.slug === slug)
      if (organisation === undefined) throw new Error(`there is no organisation "${slug}"`)
      const nowMs = clock.now()
      // A guess is of no use: tools go where a token says whatever else they are told.
      const address = knowsAddress ? publicAddress.url : null
      const token = newOrgToken(random, { url: address, org: slug, nowMs })
      const actor: Actor = { userId: null, tokenId: null, label: 'command line', address: null, atMs: nowMs }
      const made = await changes.own('createToken', {
        token: {
          orgId: organisation.id,
          userId: null,
          name,
          scopes,
          tail: token.slice(-TOKEN_TAIL),
          tokenHash: secretHash(token),
          expiresMs: null,
          address,
        },
        actor,
      })
      if (!made.ok) throw new Error(made.message)
      return token
    },
    async onlyOrganisation() {
      const organisations = await reader.organisations()
      const [only] = organisations
      if (only === undefined) throw new Error('there is no organisation yet; run "errata setup" first')
      if (organisations.length > 1) {
        throw new Error(`name one with --organisation: ${organisations.map(({ slug }) => slug).join(', ')}`)
      }
      return only.slug
    },
    close: async () => void (await Promise.all([reader.close(), writer.close()])),
  }
}

/** `kept`: by the control store. `waitMs`: for a server that has just been started to listen. */
async function localAddress(
  settings: Settings,
  kept: string | null,
  waitMs: number,
): Promise<Pick<LocalEngine, 'publicAddress' | 'knowsAddress'>> {
  const publicAddress = new PublicAddress(settings)
  publicAddress.kept(kept)
  const isChosen = publicAddress.isFixed || settings.portChosen || kept !== null
  const noted = settings.portChosen ? null : await addressOfServer(settings.data, isChosen ? 0 : waitMs)
  if (noted !== null) publicAddress.noted(noted)
  return { publicAddress, knowsAddress: isChosen || noted !== null }
}

/** Returns the address that the server noted. A server without one has just started: it is waited for. */
async function addressOfServer(data: string, waitMs: number) {
  const endMs = performance.now() + waitMs
  let noted = notedAddress(data)
  while (noted === null && performance.now() < endMs && isServed(data)) {
    await sleep(LOOK_AGAIN_MS)
    noted = notedAddress(data)
  }
  return noted
}

function isServed(data: string): boolean {
  try {
    lockDirectory(data, lockPath(data))()
    return false
  } catch (cause) {
    if (cause instanceof DirectoryInUse) return true
    throw cause
  }
}

interface Opening {
  readonly clock: Clock
  readonly log: Log
}

const LOOK_AGAIN_MS = 100

/**
 * A running server may be of another version: what is not of this one is migrated only where none runs. A server that
 * has just been started holds the directory before it has made the control store: that is waited for.
 */
async function migrateUnlessServed(data: string, opening: Opening & { readonly waitMs: number }) {
  const path = controlPath(data)
  const endMs = performance.now() + opening.waitMs
  while (!existsSync(path) || pendingMigrationsOf(path).length > 0) {
    try {
      return await migrateUnderLock(data, opening)
    } catch (cause) {
      if (!(cause instanceof DirectoryInUse) || performance.now() >= endMs) throw cause
      await sleep(LOOK_AGAIN_MS)
    }
  }
}

async function migrateUnderLock(data: string, { clock, log }: Opening): Promise<void> {
  const unlock = lockDirectory(data, lockPath(data))
  try {
    // However little is logged: an older Errata refuses what is migrated.
    const planLog = createLog({ level: 'warn', thread: 'command line' })
    await openControlWriter({ path: controlPath(data), clock, log, planLog }).close()
  } finally {
    unlock()
  }
}

async function openLocalControl(data: string, { clock, log, waitMs }: Opening & { readonly waitMs: number }) {
  await migrateUnlessServed(data, { clock, log, waitMs })
  const path = controlPath(data)
  // First the reader: it refuses another version, where the writer would migrate.
  const reader = openControlReader({ path, clock, log })
  return { reader, writer: openControlWriter({ path, clock, log }) }
}

/** The command line takes no envelopes: it has no journal. */
const TAKES_NONE = async () => ({
  status: 503,
  eventId: null,
  error: { code: 'stopping', detail: 'the command line takes no envelopes', causes: [] } as const,
  rateLimits: null,
  retryAfter: null,
})
const NO_INGEST: Accept = {
  ...{ accept: TAKES_NONE, acceptLarge: TAKES_NONE },
  refuseUnread: () => ({ refused: null, seen: null }),
  countRefusal() {},
  setDirectory() {},
  changeDirectory() {},
  flush: async () => {},
}
