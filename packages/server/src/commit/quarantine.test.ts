import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { dayOf, type ProjectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { ATTACHMENT_NAME, largeName, type SetAside } from '#model/large-item.ts'
import { quarantineName } from '#ports/quarantine-name.ts'
import { openBlobDirectory } from '#store/blobs/blob-directory.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { removeOldQuarantine } from './quarantine.ts'

const NOW = Date.UTC(2026, 10, 16)
const DAY_MS = 86_400_000

type SetAsideOf = Pick<SetAside, 'name' | 'bytes'>

async function aQuarantine(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-quarantine-'))
  t.after(() => rm(directory, { recursive: true }))
  const blobs = await openBlobDirectory({ directory: join(directory, 'blobs') })
  const clock = manualClock(NOW)
  const control = openNewControl({ path: join(directory, 'control.sqlite'), clock, log: silentLog })
  t.after(() => control.close())
  const { projectId, orgId } = value(await control.createFirstOwner(FIRST_OWNER, anActor()))
  return {
    ...{ blobs, control, orgId, projectId },
    /** A body of so many bytes (a hole in the file), so many days old, and what the control store knows of it. */
    async put(
      number: number,
      ageDays: number,
      bytes = 10,
      { of = projectId, setAside = [] }: { of?: ProjectId; setAside?: SetAsideOf[] } = {},
    ) {
      await blobs.put(quarantineName(seq(number)), new Uint8Array(1))
      const known = { seq: seq(number), projectId: of, receivedMs: NOW, reason: 'Error: no', bytes, setAside }
      await control.applyBatch(aBatch(number, [], { lastSeq: seq(number), quarantined: [known] }))
      const path = join(directory, 'blobs', 'quarantine', String(number))
      await truncate(path, bytes)
      await utimes(path, new Date(), new Date(NOW - ageDays * DAY_MS))
    },
    sweep: () => removeOldQuarantine({ control, blobs, clock, log: silentLog }),
    names: async () => (await blobs.list('')).map(({ name }) => name),
  }
}

describe('quarantined envelopes', () => {
  it('are deleted when they are older than the quarantine lasts', async (t) => {
    const { put, sweep, names, blobs } = await aQuarantine(t)
    for (const [number, days] of [0, 6.9, 7, 7.1, 100].entries()) await put(number + 1, days)
    await blobs.put('other/kept', new Uint8Array(1))
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['other/kept', 'quarantine/1', 'quarantine/2', 'quarantine/3'])
    assert.equal(await sweep(), 0)
  })

  it('make room for newer ones when they are too many bytes together', async (t) => {
    const { put, sweep, names } = await aQuarantine(t)
    const third = Math.floor(max('quarantineBytesMax') / 3)
    for (const number of [1, 2, 3, 4, 5]) await put(number, 5 - number, third)
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['quarantine/3', 'quarantine/4', 'quarantine/5'])
  })

  it('keep their attachments as long as they last, and count them among their bytes', async (t) => {
    const { put, sweep, control, projectId } = await aQuarantine(t)
    const blobOf = (id: string) => ({
      projectId,
      id: id.repeat(32),
      day: dayOf(NOW),
      retentionDays: 30 as const,
    })
    const nameOf = ({ id, ...file }: ReturnType<typeof blobOf>) =>
      largeName({ file: { kind: ATTACHMENT_NAME, ...file }, projectId, id })
    const ids = ['a', 'b', 'c', 'd']
    const half = Math.ceil(max('quarantineBytesMax') / 2)
    await put(1, 8, 10, { setAside: [{ name: nameOf(blobOf('a')), bytes: 5 }] })
    await put(2, 3, 10, { setAside: [{ name: nameOf(blobOf('b')), bytes: half }] })
    await put(3, 2, 10, { setAside: [{ name: nameOf(blobOf('c')), bytes: half }] })
    const kept = async () => (await control.knownAttachments(ids.map(blobOf))).map(({ id }) => id[0])
    assert.deepEqual(await kept(), ['a', 'b', 'c'])
    assert.equal(await sweep(), 2, 'too old, and too many bytes')
    assert.deepEqual(await kept(), ['c'])
  })

  it('make room at the cost of the project that has most of them', async (t) => {
    const { put, sweep, names, control, orgId } = await aQuarantine(t)
    const other = {
      orgId,
      slug: 'other',
      name: 'Other',
      platform: null,
      teams: [],
      keyPublic: 'f'.repeat(32),
    }
    const project = value(await control.createProject(other, anActor()))
    const third = Math.floor(max('quarantineBytesMax') / 3)
    await put(1, 5, third, { of: project.id })
    for (const number of [2, 3, 4, 5]) await put(number, 5 - number, third)
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['quarantine/1', 'quarantine/4', 'quarantine/5'])
  })

  it('go with their project, also those that come after it, and not before their batch is applied', async (t) => {
    const { put, sweep, names, blobs, control, orgId, projectId } = await aQuarantine(t)
    await put(1, 0)
    await blobs.put(quarantineName(seq(3)), new Uint8Array(1))
    assert.equal(await sweep(), 0)
    value(await control.deleteProject(orgId, projectId, anActor()))
    await put(2, 0)
    assert.equal(await sweep(), 2)
    assert.deepEqual(await names(), ['quarantine/3'])
  })
})
