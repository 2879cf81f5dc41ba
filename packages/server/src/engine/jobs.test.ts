/** Jobs over restarts of a whole engine. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { readSettings } from '#limits/settings.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { aRequest } from '#testing/builders/accept-request.ts'
import { anActor } from '#testing/builders/actor.ts'
import { archivedUntil } from '#testing/builders/archived-until.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { controlPath } from './directory/paths.ts'
import { type RunningEngine, startEngine } from './engine.ts'

const HOUR = 3_600_000
const HOURLY = [
  'sign_in.recheck_domains',
  'quarantine.remove_old',
  'journal.remove_set_aside',
  'artifacts.remove_old',
]

async function start(data: string): Promise<RunningEngine> {
  const read = readSettings({ flags: { data, port: '0' }, env: {} })
  assert.ok(read.ok)
  const url = (name: string) => new URL(`./threads/${name}.ts`, import.meta.url)
  return startEngine({
    ...{ settings: read.settings, log: silentLog, version: '0.0.0', reservedSlugs: [] },
    publicAddress: new PublicAddress(read.settings),
    threads: {
      ...{ accept: url('accept'), process: url('process'), commit: url('commit'), read: url('read') },
      ...{ verify: url('verify'), artifacts: url('artifacts') },
    },
  })
}

/** A data directory with an owner and projects; its control store is open beside the engine. */
async function aDirectory(t: TestContext) {
  const data = await mkdtemp(join(tmpdir(), 'errata-jobs-'))
  const parts = { path: controlPath(data), clock: systemClock, log: silentLog }
  const writer = openNewControl(parts)
  const reader = openControlReader(parts)
  t.after(async () => {
    await reader.close()
    await writer.close()
    await rm(data, { recursive: true, force: true })
  })
  value(await writer.createFirstOwner(FIRST_OWNER, anActor()))
  const directory = await reader.ingestDirectory()
  const [key] = directory.keys
  const [organisation] = directory.organisations
  assert.ok(key !== undefined && organisation !== undefined)
  const scope = scopeForTest({ orgId: organisation.id, projects: [key.projectId] })
  return { data, writer, reader, key, scope }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('what the engine runs by the clock', () => {
  it('is due when it was due before a restart', async (t) => {
    const { data, writer } = await aDirectory(t)
    const dueMs = async () => {
      const engine = await start(data)
      await until('jobs are there', async () => (await writer.nextJobMs(HOURLY)) !== null)
      await engine.close()
      return writer.nextJobMs(HOURLY)
    }
    const beganMs = Date.now()
    const firstMs = await dueMs()
    assert.ok(firstMs !== null && firstMs >= beganMs + HOUR && firstMs <= Date.now() + HOUR)
    assert.equal(await dueMs(), firstMs)
  })

  it('brings back at the start what was archived until a time that came meanwhile', async (t) => {
    const { data, writer, reader, key, scope } = await aDirectory(t)
    const issue = async () => {
      const page = await reader.list(scope, aFilter({ startMs: 0, endMs: Date.now() + HOUR }), {
        sort: 'date',
        limit: 10,
        cursor: null,
      })
      return page.rows[0]
    }
    const first = await start(data)
    const { status } = await first.accept.accept(
      aRequest(`{"event_id":"${'a'.repeat(32)}"}\n{"type":"event"}\n{"message":"archived"}`, {
        projectRef: String(key.projectId),
        query: new URLSearchParams({ sentry_key: key.public }),
      }),
    )
    assert.equal(status, 200)
    await first.drained()
    await first.close()
    const id = (await issue())?.id
    assert.ok(id !== undefined)
    const atMs = Date.now() - HOUR
    const change = { orgId: scope.orgId, projects: scope.projects, ids: [id] }
    value(await writer.archive(change, archivedUntil({ atMs }), anActor(atMs - HOUR)))
    assert.equal((await issue())?.status, 'archived')
    const second = await start(data)
    await until('the issue is back', async () => (await issue())?.status === 'unresolved')
    await until('nothing is left to do', async () => (await writer.nextJobMs([UNARCHIVE_JOB])) === null)
    await second.close()
  })
})
