/** Retention over all real stores of a data directory, and questions to every query: for tests. */

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type KeyId, type OrgId, orgId, type ProjectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { createChanges } from '#commands/changes.ts'
import { deleteStoredPerson } from '#commands/people.ts'
import type { CommitOptions } from '#commit/commit.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { ERROR } from '#kinds/error/fields.ts'
import type { Kinds } from '#kinds/kind.ts'
import { KINDS } from '#kinds/kinds.ts'
import { fileStem } from '#model/file-name.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import type { EventFilter } from '#ports/telemetry.ts'
import { eventFilter } from '#queries/events/event-reads.ts'
import { largeBlobsIn } from '#store/blobs/large-blobs.ts'
import { createDeletion } from '#store/embedded/care/deletion.ts'
import { createRetention } from '#store/embedded/care/retention/retention.ts'
import type { RetentionParts } from '#store/embedded/care/retention/types.ts'
import { anActor } from '../builders/actor.ts'
import { scopeForTest } from '../builders/scope.ts'
import { NOW } from '../builders/times.ts'
import { value } from '../contract/control/stores.ts'
import { batchOf, type House, openHouse, type ProcessedEnvelope, processedEnvelope } from './stores.ts'
import { setUpTwoProjects } from './two-projects.ts'

export type World = Awaited<ReturnType<typeof aWorld>>
type Change = Partial<Pick<RetentionParts, 'maxDiskBytes' | 'onStep' | 'guard'>>

/** An organisation with two projects; `open` opens (again) everything and starts retention. */
export async function aWorld(t: TestContext, kinds: Kinds = KINDS) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-retention-'))
  const clock = manualClock(NOW)
  let house: House | null = null
  const close = async () => {
    await house?.close()
    house = null
  }
  t.after(async () => {
    await close()
    await rm(directory, { recursive: true })
  })
  const open = async ({
    onCommitStep,
    ...change
  }: Change & { readonly onCommitStep?: CommitOptions['onStep'] } = {}) => {
    await close()
    const commit = onCommitStep === undefined ? {} : { onStep: onCommitStep }
    const opened = await openHouse(directory, () => commit, { clock, kinds })
    house = opened
    await opened.commit.recover()
    const retention = retentionOver({ house: opened, directory, clock, change })
    await retention.start()
    return { house: opened, retention, deletePerson: personDeletionOver(opened, directory) }
  }
  const { house: first } = await open()
  const { org, shop, blog } = await setUpTwoProjects(first)
  return {
    ...{ directory, clock, open, org },
    shop: { projectId: shop.projectId, keyId: shop.keyId },
    blog: { projectId: blog.projectId, keyId: blog.keyId },
  }
}

/** Retention over the stores of a house. */
export function retentionOver({
  house,
  directory,
  clock,
  change,
}: {
  readonly house: House
  readonly directory: string
  readonly clock: RetentionParts['clock']
  readonly change: Change
}) {
  return createRetention({
    ...{ kinds: house.kinds, control: house.control, telemetry: house.telemetry, payloads: house.segments },
    ...{ eventIds: house.eventIds, clock, log: silentLog, maxDiskBytes: null },
    largeBlobs: largeBlobsIn({ directory: join(directory, 'blobs', 'large') }),
    usedBytes: () => bytesBelow(directory),
    freeBytes: async () => 1e12,
    guard: (exchange) => exchange(),
    ...change,
  })
}

/** Deletes what is stored of a person, as the command does. */
function personDeletionOver({ control, telemetry, commit }: House, directory: string) {
  const hide = createDeletion({
    ...{ control, telemetry, log: silentLog },
    largeBlobs: largeBlobsIn({ directory: join(directory, 'blobs', 'large') }),
    removeQuarantine: () => commit.removeOldQuarantine(),
  })
  const { own } = createChanges(control, { hide })
  const stores = {
    own,
    appliedSeq: () => control.appliedSeq(),
    personEvents: telemetry.personEvents.bind(telemetry),
  }
  return (who: Parameters<typeof deleteStoredPerson>[1], actor: Actor) =>
    deleteStoredPerson(stores, who, actor)
}

export type Opened = Awaited<ReturnType<World['open']>>

/** Commits envelopes in batches of `size`; their numbers are their seqs and go on from what is applied. */
export async function store(
  { house }: Opened,
  shapes: readonly (Parameters<typeof processedEnvelope>[2] & {
    readonly from: { readonly projectId: ProjectId; readonly keyId: KeyId }
  })[],
  size = 5,
): Promise<readonly ProcessedEnvelope[]> {
  const applied = await house.control.appliedSeq()
  const all = shapes.map(({ from, ...shape }, index) => processedEnvelope(applied + index + 1, from, shape))
  for (let at = 0; at < all.length; at += size) {
    await house.commit.commit(batchOf(all.slice(at, at + size)))
  }
  return all
}

export async function setPeriod(
  { house, retention }: Opened,
  { org, project, days }: { readonly org: OrgId; readonly project: ProjectId; readonly days: number },
): Promise<void> {
  const options = { ...PROJECT_OPTIONS_DEFAULT, retentionDays: days }
  value(await house.control.updateProject(org, project, { options }, anActor()))
  await retention.refresh()
}

/** Returns the answers of every query about what was sent, as one comparable value. */
export async function answers({ house }: Opened, all: readonly ProcessedEnvelope[]) {
  const projects = [...new Set(all.map(({ projectId }) => projectId))]
  const scope = scopeForTest({ orgId: orgId(1), projects })
  const groups = [...new Map(all.map(({ row }) => [`${row.projectId}:${row.groupHash}`, row])).values()].map(
    ({ projectId, groupHash: hash }) => ({ projectId, hash }),
  )
  const named = all.map(({ row: { day, retentionDays } }) => ({ kind: ERROR, day, retentionDays }))
  const files = [...new Map(named.map((file) => [fileStem(file), file])).values()]
  const page = await house.telemetry.events(scope, { groups, files }, { limit: 1_000, cursor: null })
  const matching = await house.telemetry.groupsMatching(scope, { files }, 1_000)
  const each = []
  const counted = new Set<string>()
  for (const { row } of all) {
    const file = { ...row, kind: ERROR }
    const found = await house.telemetry.event(scope, file, row.projectId, row.eventId)
    if (found === null) continue
    const bytes = await house.segments.read(file, row.projectId, row.eventId)
    const own = [{ projectId: row.projectId, hash: row.groupHash }]
    const neighbours = await house.telemetry.neighbours(scope, { groups: own, files }, found)
    const group = `${row.projectId}:${row.groupHash}`
    // Pages through the whole issue: once is enough.
    if (!counted.has(group)) await sameAsCounted(house, scope, found)
    counted.add(group)
    const places = await house.eventIds.find(row.projectId, row.eventId, file.kind)
    each.push({
      found,
      payload: bytes === null ? null : Buffer.from(bytes).toString(),
      neighbours,
      places: places.map(fileStem),
    })
  }
  return {
    rows: page.rows,
    matching: matching.map(({ projectId, hash }) => `${projectId}:${hash}`).sort(),
    each,
  }
}

/** Seqs of what lies in columns and in payloads, whatever queries hide. */
export async function storedSeqs({ house }: Opened): Promise<{
  readonly columns: readonly number[]
  readonly payloads: readonly number[]
}> {
  const columns: number[] = []
  for (const file of await house.telemetry.files()) {
    for (const row of await house.telemetry.rows(file, seq(0), 1_000)) columns.push(row.seq)
  }
  const payloads: number[] = []
  for (const file of await house.segments.files()) {
    for await (const event of house.segments.scan(file)) payloads.push(event.seq)
  }
  const sorted = (seqs: number[]) => seqs.sort((a, b) => a - b)
  return { columns: sorted(columns), payloads: sorted(payloads) }
}

/** Names of the files below an area of the data directory. */
export async function filesIn(directory: string, area: string): Promise<readonly string[]> {
  const entries = await readdir(join(directory, area), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

/** Asserts that answers from counts of the files equal those from reading all of them. */
async function sameAsCounted({ reader, telemetry }: House, scope: ReadScope, found: EventRow): Promise<void> {
  const issue = await reader.issueOfGroup(scope, found.projectId, found.groupHash)
  assert.ok(issue !== null, 'what can be seen belongs to an issue')
  const views = await reader.groups(scope, issue.id)
  const plain = eventFilter(views.map((view) => ({ ...view, files: view.files.map(unknown) })))
  const counted = eventFilter(views)
  assert.equal(await telemetry.count(scope, counted), await telemetry.count(scope, plain))
  assert.deepEqual(
    await telemetry.neighbours(scope, counted, found),
    await telemetry.neighbours(scope, plain, found),
  )
  for (const plan of ['free', 'team', 'none']) {
    const tags = [{ key: 'plan', value: plan, negated: false }]
    const matches = await reader.tagCount(scope, issue.id, { key: 'plan', value: plan })
    assert.ok(matches !== null)
    const tagged = { ...counted, tags, counted: matches }
    assert.equal(await telemetry.count(scope, tagged), await telemetry.count(scope, { ...plain, tags }))
    await samePages(telemetry, scope, [tagged, { ...plain, tags }])
  }
  await samePages(telemetry, scope, [counted, plain])
}

function unknown<T>(file: T): T & { readonly holds: null } {
  return { ...file, holds: null }
}

async function samePages(
  telemetry: House['telemetry'],
  scope: ReadScope,
  [one, other]: readonly [EventFilter, EventFilter],
): Promise<void> {
  for (const limit of [1, 3]) {
    const pages = await allPages(telemetry, scope, { filter: one, limit })
    assert.deepEqual(pages, await allPages(telemetry, scope, { filter: other, limit }))
  }
}

async function allPages(
  telemetry: House['telemetry'],
  scope: ReadScope,
  { filter, limit }: { readonly filter: EventFilter; readonly limit: number },
): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = []
  for (let cursor: string | null = null; ; ) {
    const page = await telemetry.events(scope, filter, { limit, cursor })
    pages.push(page.rows.map(({ eventId }) => eventId))
    cursor = page.nextCursor
    if (cursor === null) return pages
  }
}
