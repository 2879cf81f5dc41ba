/** Housekeeping by the clock. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { orgId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import type { NewBundle } from '#ports/artifacts.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { openArtifacts } from '#testing/worlds/artifacts.ts'
import { removeOldArtifacts } from './housekeeping.ts'

const [ACME, RIVAL] = [orgId(1), orgId(2)]
const [WEB, GONE, VAULT] = [projectId(11), projectId(12), projectId(21)]
const hash = (letter: string) => letter.repeat(40)

/** An index with its files, and what adds bundles to it. */
async function aStore(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-housekeeping-'))
  const clock = manualClock(NOW)
  const { artifacts, index, files, close } = await openArtifacts(directory, clock)
  t.after(() => {
    close()
    rmSync(directory, { recursive: true })
  })
  const add = async (bundle: Pick<NewBundle, 'orgId' | 'projects' | 'sha1'> & Partial<NewBundle>) => {
    await files.put({ area: 'bundles', org: bundle.orgId, name: bundle.sha1 }, Buffer.from('bytes'))
    index.addBundle({
      ...{ release: null, dist: null, by: 'token ci', kind: 'debug_file', bytes: 5, name: '', files: [] },
      ...{ uploadedMs: clock.now(), ...bundle },
    })
  }
  return { directory, clock, artifacts, index, files, add }
}

it('old chunks go, what is beyond a quota, and what belongs to projects that are gone', async (t) => {
  const { directory, clock, artifacts, index, files, add } = await aStore(t)
  await add({ orgId: ACME, projects: [WEB], sha1: hash('a'), uploadedMs: NOW - 91 * DAY_MS })
  await add({ orgId: ACME, projects: [WEB, GONE], sha1: hash('b') })
  await add({ orgId: ACME, projects: [GONE], sha1: hash('c') })
  await add({ orgId: RIVAL, projects: [VAULT], sha1: hash('d'), uploadedMs: NOW - DAY_MS })
  await add({ orgId: RIVAL, projects: [VAULT], sha1: hash('e') })
  for (const letter of ['1', '2'])
    await files.put({ area: 'chunks', org: ACME, name: hash(letter) }, Buffer.from(letter))
  const yesterday = new Date(Date.now() - DAY_MS - 60_000)
  utimesSync(join(directory, 'artifacts', 'chunks', '1', hash('1')), yesterday, yesterday)

  await removeOldArtifacts({
    ...{ artifacts, clock },
    accounts: {
      artifactQuotas: async () => [{ orgId: RIVAL, quota: { ...ARTIFACT_QUOTA_DEFAULT, bundlesMax: 1 } }],
    },
    projectIds: async () => [WEB, VAULT],
  })
  assert.deepEqual((await files.names(ACME)).bundles, [hash('b')])
  assert.deepEqual((await files.names(RIVAL)).bundles, [hash('e')])
  assert.deepEqual(await files.chunkUsage(ACME), { count: 1, bytes: 1 })
  assert.deepEqual(index.held().projects, [
    { orgId: ACME, id: WEB },
    { orgId: RIVAL, id: VAULT },
  ])
})

it('a project that uploads with every deploy loses its own bundles, by their number and by their bytes', async (t) => {
  const { clock, artifacts, files, add } = await aStore(t)
  const remain = async (quota: Partial<typeof ARTIFACT_QUOTA_DEFAULT>) => {
    await removeOldArtifacts({
      ...{ artifacts, clock },
      accounts: {
        artifactQuotas: async () => [{ orgId: ACME, quota: { ...ARTIFACT_QUOTA_DEFAULT, ...quota } }],
      },
      projectIds: async () => [WEB, VAULT],
    })
    return (await files.names(ACME)).bundles.map((name) => name[0]).toSorted()
  }
  await add({ orgId: ACME, projects: [VAULT], sha1: hash('a'), bytes: 10 })
  for (const letter of ['b', 'c', 'd', 'e']) await add({ orgId: ACME, projects: [WEB], sha1: hash(letter) })
  assert.deepEqual(await remain({ bundlesMax: 3 }), ['a', 'd', 'e'])
  assert.deepEqual(await remain({ bytesMax: 20 }), ['a', 'd', 'e'], 'as many as there may be')
  assert.deepEqual(
    await remain({ bytesMax: 19 }),
    ['d', 'e'],
    'ten bytes of one are as many as those of the other',
  )
})

it('a project whose uploads fail again and again pushes out no failures of others', async (t) => {
  const { index, clock } = await aStore(t)
  const failed = (project: typeof WEB, reason: string) =>
    index.addFailure({
      ...{ orgId: ACME, projects: [project], release: null, atMs: clock.now(), what: 'bundle', reason },
      by: 'token ci',
    })
  failed(VAULT, 'it is no zip')
  const most = max('failedUploadsMax')
  for (let at = 0; at <= most; at++) failed(WEB, `failed ${at}`)
  const scope = scopeForTest({ orgId: ACME, projects: [WEB, VAULT] })
  const left = index.failures(scope, { project: null, limit: most + 1 })
  assert.equal(left.length, most)
  assert.ok(left.some(({ reason }) => reason === 'it is no zip'))
  assert.ok(
    left.every(({ reason }) => reason !== 'failed 0' && reason !== 'failed 1'),
    'its oldest are gone',
  )
})
