/** Contract of the index of uploads: bundles, their files, what became of their maps, what was refused. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { orgId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFile, ArtifactIndex, MapIndex, NewBundle } from '#ports/artifacts.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'

interface IndexUnderTest {
  readonly index: ArtifactIndex & MapIndex
  close(): void
}

const ACME = orgId(1)
const RIVAL = orgId(2)
const [WEB, API, VAULT] = [projectId(11), projectId(12), projectId(21)]
const SCOPE = scopeForTest({ orgId: ACME, projects: [WEB, API] })
const ALL = { project: null, release: null, text: '', beforeId: null, limit: 100 }
const key = (letter: string) => letter.repeat(40)

function aFile(file: Partial<ArtifactFile> = {}): ArtifactFile {
  return {
    ...{ path: 'files/app.js.map', type: 'source_map', url: '~/app.js.map', debugId: 'd'.repeat(32) },
    ...{ mapReference: null, bytes: 10, mapKey: key('1') },
    ...file,
  }
}

function aNewBundle(bundle: Partial<NewBundle> = {}): NewBundle {
  return {
    ...{ orgId: ACME, projects: [WEB], release: 'web@1', dist: null, by: 'token ci', kind: 'bundle' },
    ...{ sha1: key('a'), bytes: 100, name: '', files: [aFile()], uploadedMs: NOW },
    ...bundle,
  }
}

export function testArtifactIndex(name: string, open: () => IndexUnderTest): void {
  describe(`ArtifactIndex and MapIndex: ${name}`, () => {
    let under: IndexUnderTest
    let index: IndexUnderTest['index']
    beforeEach(() => {
      under = open()
      index = under.index
    })
    afterEach(() => under.close())

    const ready = (letter: string) => index.mapDone(ACME, key(letter), { bytes: 5, problem: null })

    it('has one bundle of the same bytes, kind, release and dist, for all projects that sent it', () => {
      const first = index.addBundle(aNewBundle())
      const again = index.addBundle(aNewBundle({ projects: [API], uploadedMs: NOW + 1 }))
      assert.deepEqual([first.isNew, again.isNew, again.id], [true, false, first.id])
      assert.equal(index.addBundle(aNewBundle({ release: 'web@2' })).isNew, true)
      assert.equal(index.addBundle(aNewBundle({ dist: '7' })).isNew, true)
      assert.equal(index.addBundle(aNewBundle({ kind: 'debug_file', files: [] })).isNew, true)
      assert.equal(index.addBundle(aNewBundle({ orgId: RIVAL, projects: [VAULT] })).isNew, true)
      const [oldest] = index.bundles(SCOPE, ALL).toReversed()
      assert.deepEqual(oldest?.projects, [WEB, API])
      assert.deepEqual(index.usage(ACME), { bundles: 4, bytes: 400 })
      assert.deepEqual(index.usage(RIVAL), { bundles: 1, bytes: 100 })
    })

    it('lists what may be read alone, and names no project that may not', () => {
      index.addBundle(aNewBundle({ projects: [WEB, API] }))
      const foreign = index.addBundle(aNewBundle({ orgId: RIVAL, projects: [VAULT] }))
      const mine = scopeForTest({ orgId: ACME, projects: [API] })
      assert.deepEqual(
        index.bundles(mine, ALL).map(({ projects }) => projects),
        [[API]],
      )
      assert.equal(index.files(mine, foreign.id, 10), null)
      assert.equal(index.bundles(scopeForTest({ orgId: ACME, projects: [] }), ALL).length, 0)
      assert.equal(index.bundles(SCOPE, { ...ALL, text: 'app.js' }).length, 1)
      assert.equal(index.bundles(SCOPE, { ...ALL, text: '%' }).length, 0)
      assert.equal(index.bundles(SCOPE, { ...ALL, release: 'web@9' }).length, 0)
    })

    it('finds a map by debug id and by address once it is ready, the newest first', () => {
      index.addBundle(aNewBundle())
      assert.deepEqual(index.withDebugId(WEB, 'd'.repeat(32)), { state: 'waiting' })
      ready('1')
      const found = index.withDebugId(WEB, 'd'.repeat(32))
      assert.equal(found?.state === 'ready' && found.mapKey, key('1'))
      index.addBundle(aNewBundle({ sha1: key('b'), files: [aFile({ mapKey: key('2') })] }))
      const stillOld = index.withDebugId(WEB, 'd'.repeat(32))
      assert.equal(stillOld?.state === 'ready' && stillOld.mapKey, key('1'))
      ready('2')
      const build = { release: 'web@1', dist: null }
      const newest = index.atAddress(WEB, build, ['~/app.js'])
      assert.equal(newest?.state === 'ready' && newest.mapKey, key('2'))
      assert.equal(index.atAddress(WEB, { release: 'web@1', dist: '7' }, ['~/app.js']), null)
      assert.equal(index.withDebugId(API, 'd'.repeat(32)), null)
      assert.equal(index.withDebugId(VAULT, 'd'.repeat(32)), null)
    })

    it('names server actions as the release does, else the newest upload, of the project alone', () => {
      const action = (name: string) => ({ id: 'aa', file: 'app/actions.ts', name })
      index.addBundle(aNewBundle({ actions: [action('one')] }))
      const second = index.addBundle(
        aNewBundle({ sha1: key('b'), release: 'web@2', actions: [action('two')] }),
      )
      const asked = (release: string | null, project = WEB, id = 'aa') => ({ project, release, id })
      assert.deepEqual(
        index.actions([
          asked('web@1'),
          asked('web@2'),
          asked(null),
          asked('web@1', API),
          asked(null, WEB, 'b'),
        ]),
        [action('one'), action('two'), action('two'), null, null],
      )
      index.remove(ACME, { ids: [second.id], projects: 'all' })
      assert.deepEqual(index.actions([asked('web@2')]), [action('one')])
    })

    it('gives a map out until it is done, and counts how often it was begun', () => {
      index.addBundle(aNewBundle())
      const [waiting] = index.waitingMaps(10)
      assert.deepEqual([waiting?.mapKey, waiting?.path], [key('1'), 'files/app.js.map'])
      assert.equal(index.mapBegun(ACME, key('1')), 1)
      index.mapPutBack(ACME, key('1'))
      assert.equal(index.mapBegun(ACME, key('1')), 1)
      assert.equal(index.mapBegun(ACME, key('1')), 2)
      assert.equal(index.mapDone(ACME, key('1'), { bytes: 0, problem: 'no JSON' }), true)
      assert.deepEqual(index.waitingMaps(10), [])
      assert.deepEqual(index.withDebugId(WEB, 'd'.repeat(32)), { state: 'damaged', reason: 'no JSON' })
      index.mapPutBack(ACME, key('1'))
      assert.equal(index.waitingMaps(10).length, 1)
      assert.equal(index.mapDone(ACME, key('9'), { bytes: 1, problem: null }), false)
      assert.equal(index.mapDone(RIVAL, key('1'), { bytes: 1, problem: null }), false)
    })

    it('notes use of one organisation’s bundles, at most twice an hour', () => {
      index.addBundle(aNewBundle())
      index.addBundle(aNewBundle({ orgId: RIVAL, projects: [VAULT] }))
      const used = () => index.bundles(SCOPE, ALL)[0]?.usedMs
      index.noteUsed(RIVAL, [key('1')], NOW)
      assert.equal(used(), null)
      index.noteUsed(ACME, [key('1'), key('9')], NOW)
      assert.equal(used(), NOW)
      index.noteUsed(ACME, [key('1')], NOW + 1_000)
      assert.equal(used(), NOW)
      index.noteUsed(ACME, [key('1')], NOW + HOUR_MS)
      assert.equal(used(), NOW + HOUR_MS)
    })

    it('removes bundles beyond a quota: the oldest, the largest sum, what was not used for so long', () => {
      const ids = ['a', 'b', 'c', 'd'].map((letter, at) =>
        index.addBundle(
          aNewBundle({ sha1: key(letter), files: [aFile({ mapKey: key(letter) })], uploadedMs: NOW + at }),
        ),
      )
      assert.equal(ids.length, 4)
      const left = () => index.bundles(SCOPE, ALL).length
      const generous = { bundlesMax: 100, bytesMax: 10_000, unusedDaysMax: 90 }
      const beyond = (quota: Partial<typeof generous>, nowMs = NOW) =>
        index.remove(ACME, { beyond: { ...generous, ...quota }, nowMs })
      assert.deepEqual(beyond({}), { count: 0, files: [], mapKeys: [] })
      assert.deepEqual(beyond({ bundlesMax: 3 }), { count: 1, files: [key('a')], mapKeys: [key('a')] })
      assert.deepEqual(beyond({ bytesMax: 200 }).files, [key('b')])
      index.noteUsed(ACME, [key('c')], NOW + 60 * DAY_MS)
      assert.deepEqual(beyond({}, NOW + 100 * DAY_MS).files, [key('d')])
      assert.equal(left(), 1)
      assert.equal(index.waitingMaps(10).length, 1)
    })

    it('keeps bytes and maps that another bundle still names', () => {
      const first = index.addBundle(aNewBundle())
      index.addBundle(aNewBundle({ release: 'web@2' }))
      const gone = index.remove(ACME, { ids: [first.id], projects: 'all' })
      assert.deepEqual(gone, { count: 1, files: [], mapKeys: [] })
      assert.equal(index.hasBytes(ACME, key('a')), true)
      assert.deepEqual(index.remove(ACME, { release: 'web@2', projects: [WEB] }), {
        ...{ count: 1, files: [key('a')], mapKeys: [key('1')] },
      })
      assert.equal(index.hasBytes(ACME, key('a')), false)
    })

    it('leaves a bundle to the projects that whoever removes it may not read', () => {
      const { id } = index.addBundle(aNewBundle({ projects: [WEB, API] }))
      assert.equal(index.remove(ACME, { ids: [id], projects: [WEB] }).count, 0)
      assert.equal(index.withDebugId(WEB, 'd'.repeat(32)), null)
      assert.notEqual(index.withDebugId(API, 'd'.repeat(32)), null)
      assert.equal(index.remove(RIVAL, { ids: [id], projects: 'all' }).count, 0)
      assert.equal(index.remove(ACME, { ids: [id], projects: [API] }).count, 1)
    })

    it('forgets a project, with what was refused for it', () => {
      index.addBundle(aNewBundle({ projects: [WEB] }))
      index.addBundle(aNewBundle({ sha1: key('b'), projects: [WEB, API] }))
      const failure = { orgId: ACME, release: null, atMs: NOW, what: 'chunks', by: 'token ci' }
      index.addFailure({ ...failure, projects: [WEB], reason: 'one' })
      index.addFailure({ ...failure, projects: [WEB, API], reason: 'two' })
      assert.deepEqual(index.held(), {
        organisations: [ACME],
        projects: [
          { orgId: ACME, id: WEB },
          { orgId: ACME, id: API },
        ],
      })
      assert.equal(index.remove(ACME, { project: WEB }).count, 1)
      assert.deepEqual(index.held().projects, [{ orgId: ACME, id: API }])
      const left = index.failures(SCOPE, { project: null, limit: 10 })
      assert.deepEqual(
        left.map(({ reason, projects }) => [reason, projects]),
        [['two', [API]]],
      )
    })

    it('lists refused uploads, the newest first, each once, and no more than it may', () => {
      const failure = { orgId: ACME, release: 'web@1', atMs: NOW, what: 'artifact bundle', by: 'token ci' }
      index.addFailure({ ...failure, projects: [WEB], reason: 'first' })
      index.addFailure({ ...failure, projects: [API], reason: 'x'.repeat(10_000), release: 'r'.repeat(900) })
      index.addFailure({ ...failure, projects: [], reason: 'of nobody' })
      index.addFailure({ ...failure, projects: [WEB], reason: 'first', atMs: NOW + 5 })
      index.addFailure({ ...failure, orgId: RIVAL, projects: [VAULT], reason: 'theirs' })
      const reasons = (project: typeof WEB | null) =>
        index.failures(SCOPE, { project, limit: 10 }).map(({ reason }) => reason.slice(0, 9))
      assert.deepEqual(reasons(null), ['first', 'of nobody', 'x'.repeat(9)])
      assert.deepEqual(reasons(WEB), ['first', 'of nobody'])
      const [newest, , cut] = index.failures(SCOPE, { project: null, limit: 10 })
      assert.equal(newest?.atMs, NOW + 5)
      assert.equal(cut?.reason.length, max('failedUploadReasonCharsMax'))
      assert.equal(cut?.release?.length, max('releaseCharsMax'))
      for (let at = 0; at < max('failedUploadsMax') + 5; at++)
        index.addFailure({ ...failure, projects: [], reason: String(at) })
      const all = index.failures(SCOPE, { project: null, limit: 10_000 })
      assert.equal(all.length, max('failedUploadsMax'))
    })

    it('lists files of a release by name, dist and place', () => {
      index.addBundle(
        aNewBundle({ files: [aFile({ url: '~/a.js' }), aFile({ path: 'files/b', url: '~/b.js' })] }),
      )
      index.addBundle(aNewBundle({ sha1: key('b'), dist: '7', files: [aFile({ url: '~/a.js' })] }))
      const filter = { release: 'web@1', project: WEB, afterId: 0, limit: 10 }
      const rows = index.releaseFiles(SCOPE, filter)
      assert.deepEqual(
        rows.map(({ name, dist, filesBeside }) => [name, dist, filesBeside]),
        [
          ['~/a.js', null, 2],
          ['~/b.js', null, 2],
          ['~/a.js', '7', 1],
        ],
      )
      assert.equal(index.releaseFiles(SCOPE, { ...filter, name: { name: '~/a.js', dist: '7' } }).length, 1)
      assert.equal(index.releaseFiles(SCOPE, { ...filter, afterId: rows[1]?.id ?? 0 }).length, 1)
      assert.equal(index.releaseFiles(SCOPE, { ...filter, project: API }).length, 0)
      assert.equal(index.releaseFiles(SCOPE, { ...filter, release: 'web@2' }).length, 0)
    })

    it('sums what was uploaded for each release', () => {
      const ids = ['1', '2'].map((digit) => digit.repeat(32))
      const two = ids.map((debugId, at) => aFile({ path: `files/${at}`, debugId }))
      index.addBundle(aNewBundle({ bytes: 70, files: two, uploadedMs: NOW }))
      index.addBundle(aNewBundle({ sha1: key('b'), dist: '7', bytes: 5, files: [], uploadedMs: NOW + 9 }))
      index.addBundle(aNewBundle({ sha1: key('c'), release: null }))
      const [sum, ...others] = index.ofReleases(SCOPE, ['web@1', 'web@2'])
      assert.deepEqual(others, [])
      const { bundles, bytes, debugIds, uploadedMs, usedMs } = sum ?? {}
      assert.deepEqual([bundles, bytes, debugIds, uploadedMs, usedMs], [2, 75, 2, NOW + 9, null])
      assert.deepEqual(index.ofReleases({ ...SCOPE, orgId: RIVAL }, ['web@1']), [])
    })
  })
}
