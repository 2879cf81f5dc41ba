import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { dayOf, orgId, seq } from '#base/ids.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { StoredRow } from '#model/fields.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aHash } from '#testing/builders/ids.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import type { House } from '#testing/worlds/stores.ts'
import {
  aDirectory,
  bring,
  checkAll,
  mirroredTraffic,
  staleTraffic,
  traffic,
} from '#testing/worlds/traffic.ts'
import { deepCheck } from './deep-check.ts'
import { rebuildColumns } from './rebuild.ts'
import { countContents } from './retention/count-contents.ts'

async function check(house: House) {
  return deepCheck({
    kinds: KINDS,
    control: house.reader,
    appliedSeq: await house.control.appliedSeq(),
    hidden: await house.control.hidden(),
    today: dayOf(NOW),
    segments: house.segments,
    telemetry: house.telemetry,
    eventIds: house.eventIds,
  })
}

async function wrongs(house: House): Promise<readonly string[]> {
  return (await check(house)).filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
}

async function filled(t: TestContext) {
  const directory = await aDirectory(t)
  const all = traffic(directory.shop, directory.blog)
  const house = await directory.open()
  await bring(house, all, 6)
  const columns = join(directory.directory, 'columns')
  const payloads = join(directory.directory, 'payloads')
  return { ...directory, all, house, columns, payloads }
}

async function* one(rows: readonly StoredRow[]) {
  yield rows
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name))
}

/** Turns a byte of the first file over, a third of the way in: inside of a block. */
function damageFirst(directory: string): void {
  const [path] = filesIn(directory)
  assert.ok(path !== undefined)
  const bytes = readFileSync(path)
  const at = Math.floor(bytes.length / 3)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}

describe('a deep check', () => {
  it('finds nothing wrong with what the commit stored', async (t) => {
    const { house } = await filled(t)
    const findings = await check(house)
    assert.deepEqual(await wrongs(house), [])
    assert.ok(findings.some(({ detail }) => detail.includes('payloads and columns agree')))
  })

  it('finds rows that changed, are gone, or are too many', async (t) => {
    const { house } = await filled(t)
    const [file] = await house.telemetry.files()
    assert.ok(file !== undefined)
    const appliedSeq = await house.control.appliedSeq()
    const put = (changed: readonly StoredRow[]) => house.telemetry.replace(file, one(changed), appliedSeq)
    const [first, ...rest] = await house.telemetry.rows(file, seq(0), 1_000)
    assert.ok(first !== undefined)
    const changed: StoredRow & { readonly title: string } = { ...first, title: 'something else' }
    await put([changed, ...rest])
    assert.match((await wrongs(house)).join('\n'), /differ from their records/)
    await put(rest)
    const fewer = (await wrongs(house)).join('\n')
    assert.match(fewer, /has \d+ rows in payloads, \d+ in columns/)
    assert.match(fewer, /the control store says \d+ events of group \S+, there are \d+: "errata rebuild"/)
  })

  it('finds a group whose events in a file the control store does not know', async (t) => {
    const { house } = await filled(t)
    const [file] = await house.telemetry.files()
    assert.ok(file !== undefined)
    const { groups } = await house.control.groupsInFile(file, 0, 1_000)
    const [{ id } = { id: 0 }] = groups
    await house.control.setContents(file, [{ id, holds: null }])
    assert.match((await wrongs(house)).join('\n'), /groups of events here for which .* this file: 1$/m)
  })

  it('finds a damaged payload block and a column file that is gone', async (t) => {
    const { house, open, payloads, columns } = await filled(t)
    await house.close()
    damageFirst(payloads)
    const gone = filesIn(columns).findLast((path) => path.endsWith('.duckdb'))
    assert.ok(gone !== undefined)
    rmSync(gone)
    const problems = (await wrongs(await open())).join('\n')
    assert.match(problems, /damaged/)
    assert.match(problems, /has payloads but no columns/)
  })
})

async function rowsOf({ telemetry }: House) {
  const files = await telemetry.files()
  const rows = await Promise.all(files.map((file) => telemetry.rows(file, seq(0), 1_000)))
  return rows.flat().sort((a, b) => a.seq - b.seq)
}

describe('rebuilding columns', () => {
  it('makes what was there out of the payloads alone', async (t) => {
    const { house, open, all, columns } = await filled(t)
    await house.close()
    for (const file of filesIn(columns)) rmSync(file)
    const empty = await open()
    const done = await rebuildColumns({
      kinds: KINDS,
      segments: empty.segments,
      telemetry: empty.telemetry,
      appliedSeq: await empty.control.appliedSeq(),
    })
    assert.ok(done.length > 0 && done.every(({ damagedBlocks }) => damagedBlocks === 0))
    assert.deepEqual(await wrongs(empty), [])
    await empty.commit.recover()
    await checkAll(empty, all)
  })

  it('leaves mirrors folded, and apart where a person said so', async (t) => {
    const { open, shop, blog, directory } = await aDirectory(t)
    const all = mirroredTraffic(shop, blog)
    const house = await open()
    await bring(house, all.slice(0, -6), 6)
    const projects = [shop.projectId, blog.projectId]
    const scope = scopeForTest({ orgId: orgId(1), projects })
    const issueOf = async (of: House, name: string) => {
      const issue = await of.reader.issueOfGroup(scope, shop.projectId, aHash(name))
      assert.ok(issue)
      return issue
    }
    const folded = await issueOf(house, 'group 1')
    const change = { orgId: orgId(1), projects, id: folded.id, groups: null }
    const apart = value(await house.control.keepApart(change, anActor()))
    assert.deepEqual(apart, [(await issueOf(house, 'group 2')).id])
    assert.deepEqual(await wrongs(house), [])
    await house.close()
    for (const file of filesIn(join(directory, 'columns'))) rmSync(file)
    const again = await open()
    const { segments, telemetry, control } = again
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    // Further events of both halves.
    await bring(again, all, 6)
    await checkAll(again, all)
    assert.deepEqual([(await issueOf(again, 'group 2')).id], apart)
    assert.equal((await issueOf(again, 'group 1')).mirrorCount, 0)
    // Once a store: a reader that has looked through its text index does not see it grow.
    assert.deepEqual(await wrongs(again), [])
  })

  it('leaves stale clicks gathered by their deploy, and apart where a person said so', async (t) => {
    const { open, shop, blog, directory } = await aDirectory(t)
    const all = staleTraffic(shop, blog)
    const house = await open()
    await bring(house, all.slice(0, -6), 6)
    const projects = [shop.projectId, blog.projectId]
    const scope = scopeForTest({ orgId: orgId(1), projects })
    const halves = projects.flatMap((projectId) => [
      { projectId, hash: aHash('group 1') },
      { projectId, hash: aHash('group 2') },
    ])
    const issuesOf = async ({ reader }: House) => {
      const issues = halves.map(({ projectId, hash }) => reader.issueOfGroup(scope, projectId, hash))
      return (await Promise.all(issues)).map((issue) => issue?.id)
    }
    const [gathered, ...others] = await issuesOf(house)
    assert.ok(gathered !== undefined)
    assert.deepEqual(others, [gathered, gathered, gathered])
    const groups = halves.slice(1, 2)
    const change = { orgId: orgId(1), projects, id: gathered, groups }
    const [apart] = value(await house.control.keepApart(change, anActor()))
    assert.notEqual(apart, gathered)
    assert.deepEqual(await wrongs(house), [])
    await house.close()
    for (const file of filesIn(join(directory, 'columns'))) rmSync(file)
    const again = await open()
    const { segments, telemetry, control } = again
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    // Further clicks of both.
    await bring(again, all, 6)
    await checkAll(again, all)
    assert.deepEqual(await issuesOf(again), [gathered, apart, gathered, gathered])
    const range = { projects: null, startMs: 0, endMs: NOW + 10 * DAY }
    const releases = (await again.reader.staleSums(scope, range)).map(({ release }) => release)
    assert.deepEqual([...new Set(releases)], ['shop@2'])
    assert.deepEqual(await wrongs(again), [])
  })

  it('keeps the rows of a payload block that cannot be read where the columns have them', async (t) => {
    const { house, open, payloads } = await filled(t)
    const before = await rowsOf(house)
    await house.close()
    damageFirst(payloads)
    const damaged = await open()
    const { segments, telemetry, control } = damaged
    const done = await rebuildColumns({
      kinds: KINDS,
      segments,
      telemetry,
      appliedSeq: await control.appliedSeq(),
    })
    assert.ok(done.some(({ damagedBlocks, keptRows }) => damagedBlocks > 0 && keptRows > 0))
    assert.equal(
      done.reduce((sum, { rows }) => sum + rows, 0),
      before.length,
    )
    assert.deepEqual(await rowsOf(damaged), before)
  })

  for (const [name, share] of [
    ['cut in the middle', 0.5],
    ['emptied', 0],
  ] as const) {
    it(`keeps the rows of a payload file that was ${name}, although nothing in it looks damaged`, async (t) => {
      const { house, open, payloads } = await filled(t)
      const before = await rowsOf(house)
      await house.close()
      for (const path of filesIn(payloads)) truncateSync(path, Math.floor(statSync(path).size * share))
      const cut = await open()
      await cut.commit.recover()
      assert.match((await wrongs(cut)).join('\n'), /rows in payloads/)
      const { segments, telemetry, control } = cut
      const done = await rebuildColumns({
        kinds: KINDS,
        segments,
        telemetry,
        appliedSeq: await control.appliedSeq(),
      })
      assert.ok(done.some(({ keptRows }) => keptRows > 0))
      assert.deepEqual(await rowsOf(cut), before)
    })
  }

  it('leaves events out of the counts that are in neither store any more', async (t) => {
    const { house, open, payloads, columns } = await filled(t)
    await house.close()
    for (const file of filesIn(columns)) rmSync(file)
    damageFirst(payloads)
    const damaged = await open()
    const { segments, telemetry, control } = damaged
    const done = await rebuildColumns({
      kinds: KINDS,
      segments,
      telemetry,
      appliedSeq: await control.appliedSeq(),
    })
    assert.match((await wrongs(damaged)).join('\n'), /the control store says/)
    for (const { file } of done) await countContents({ control, telemetry }, file, async () => {})
    assert.doesNotMatch((await wrongs(damaged)).join('\n'), /the control store says/)
  })

  it('replaces a column file that cannot be read', async (t) => {
    const { house, open, all, columns } = await filled(t)
    await house.close()
    for (const file of filesIn(columns)) writeFileSync(file, 'not a database')
    const broken = await open()
    assert.match((await wrongs(broken)).join('\n'), /columns cannot be read/)
    const { segments, telemetry, control } = broken
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await wrongs(broken), [])
    await broken.commit.recover()
    await checkAll(broken, all)
  })
})
