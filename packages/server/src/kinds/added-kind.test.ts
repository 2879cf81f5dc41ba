import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { MINUTE_MS } from '#base/durations.ts'
import { COMMIT_STEPS, type CommitStep } from '#commit/commit.ts'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { datasetOf } from '#model/dataset.ts'
import { EVERY_ROW } from '#ports/columns.ts'
import { rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { anActor } from '#testing/builders/actor.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { note } from '#testing/kinds/note/index.ts'
import { READING_DATASET, READINGS } from '#testing/kinds/reading/fields.ts'
import { reading } from '#testing/kinds/reading/index.ts'
import { bringRecords, findWrongs, recordsOf } from '#testing/worlds/replayed.ts'
import { aWorld, type Opened, setPeriod, type World } from '#testing/worlds/retention.ts'

const KINDS = kindsOf([...KIND_LIST, note, reading])
const FILES_MAX = 6
const LINES_MAX = 300

const aNote = (text: string, more: object = {}) => ['note', { text, level: 'info', ...more }] as const
const aReading = (id: number, more: object = {}) =>
  ['reading', { id: String(id).padStart(32, '0'), meter: 'hall', celsius: id, ...more }] as const
/** A reading comes twice: it has an id, and counts once. Notes have none: two that are alike are two. */
const BODIES = [
  envelopeOf(aNote('one'), aNote('two'), aReading(1)),
  envelopeOf(aNote('three', { level: 'error', user: { id: 'ada' } }), aReading(2)),
  envelopeOf(aReading(1), aNote('one')),
  envelopeOf(['note', { level: 'info' }], ['reading', 'no JSON'], aReading(3)),
]
const NOTES = ['one', 'one', 'three', 'two']
const METERED = [1, 2, 3]

/** Brings what is not applied yet of the envelopes. */
function bring(
  opened: Opened,
  world: World,
  {
    bodies = BODIES,
    onStep,
  }: { readonly bodies?: readonly Uint8Array[]; readonly onStep?: (step: CommitStep) => void } = {},
): Promise<void> {
  return bringRecords(opened, recordsOf(world, bodies), onStep)
}

/** Values of one field, as people who ask see them, in order. */
async function asked(
  { house }: Opened,
  { org, shop, blog }: World,
  [dataset, field]: readonly [string, string],
) {
  const scope = scopeForTest({ orgId: org, projects: [shop.projectId, blog.projectId] })
  const files = await house.telemetry.files()
  const { rows } = await house.telemetry.ask(scope, {
    ...{ ask: 'rows', dataset, files, range: { startMs: 0, endMs: NOW + 400 * DAY }, where: EVERY_ROW },
    ...{ fields: [{ field }], sort: { by: { field }, isDescending: false }, limit: 1_000, cursor: null },
  })
  return rows.map(([first]) => first)
}

const seen = async (opened: Opened, world: World) => [
  await asked(opened, world, ['notes', 'text']),
  await asked(opened, world, ['readings', 'celsius']),
]

/** Outcomes of items: category, outcome, reason and how many. */
async function outcomesOf({ house }: Opened, { org, shop }: World): Promise<readonly string[]> {
  const { groups } = await house.reader.outcomes(scopeForTest({ orgId: org, projects: [shop.projectId] }), {
    ...{ startMs: NOW - DAY, endMs: NOW + DAY, intervalMs: null, projects: null, keys: null },
    groupBy: ['category', 'outcome', 'reason'],
  })
  return groups
    .map(({ category, outcome, reason, total }) => [category, outcome, reason ?? '', total].join(' '))
    .sort()
}

async function filled(t: TestContext) {
  const world = await aWorld(t, KINDS)
  const opened = await world.open()
  await bring(opened, world)
  return { world, opened }
}

describe('a kind that is one folder', () => {
  for (const name of ['note', 'reading'])
    it(`is at most six files and 300 lines: ${name}`, async () => {
      const folder = join(import.meta.dirname, '../../testing/kinds', name)
      const files = await readdir(folder)
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
      const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
      assert.ok(files.length <= FILES_MAX && lines <= LINES_MAX, `${files.length} files, ${lines} lines`)
    })

  for (const step of COMMIT_STEPS) {
    it(`is stored once where the process ends at "${step}" of a batch and its journal is replayed`, async (t) => {
      const world = await aWorld(t, KINDS)
      let batches = 0
      const onStep = (done: CommitStep) => {
        if (done === step && ++batches === 2) throw new Error('the power failed')
      }
      await assert.rejects(bring(await world.open(), world, { onStep }), /power/)
      const again = await world.open()
      await bring(again, world)
      assert.deepEqual(await seen(again, world), [NOTES, METERED])
      assert.deepEqual(await findWrongs(again, world), [])
    })
  }

  it('counts every item as stored, a repeat or refused with its reason', async (t) => {
    const { world, opened } = await filled(t)
    assert.deepEqual(await outcomesOf(opened, world), [
      'note accepted  4',
      'note invalid no_text 1',
      'reading accepted  3',
      'reading invalid duplicate 1',
      'reading invalid invalid_json 1',
    ])
  })

  it('answers for each part of an item that holds several', async (t) => {
    const world = await aWorld(t, KINDS)
    const opened = await world.open()
    const [, first] = aReading(1)
    const [, second] = aReading(2)
    const bodies = [
      envelopeOf(['readings', { items: [first, { meter: 'hall' }, 7, second] }], ['readings', { items: [] }]),
      envelopeOf(['readings', {}], aReading(2)),
    ]
    await bring(opened, world, { bodies })
    assert.deepEqual(await asked(opened, world, ['readings', 'celsius']), [1, 2])
    assert.deepEqual(await outcomesOf(opened, world), [
      'reading accepted  2',
      'reading invalid duplicate 1',
      'reading invalid no_items 1',
      'reading invalid no_value 1',
      'reading invalid not_an_object 1',
    ])
    assert.deepEqual(await findWrongs(opened, world), [])
  })

  it('is made anew from its records, compacted, checked, and goes when its period is over', async (t) => {
    const { world, opened } = await filled(t)
    await opened.house.close()
    const columns = join(world.directory, 'columns')
    for (const name of await readdir(columns))
      if (/^(?:note|reading)-/.test(name)) await rm(join(columns, name))
    const bare = await world.open()
    const { segments, telemetry, control } = bare.house
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await seen(bare, world), [NOTES, METERED])
    await bare.retention.compactNow({ includeToday: true })
    assert.deepEqual([await seen(bare, world), await findWrongs(bare, world)], [[NOTES, METERED], []])
    await setPeriod(bare, { org: world.org, project: world.shop.projectId, days: 30 })
    world.clock.advance(DAY * 40)
    assert.deepEqual(await seen(bare, world), [[], []])
    world.clock.advance(DAY * 60)
    await bare.retention.retain()
    assert.ok((await telemetry.files()).every(({ kind }) => kind !== 'note' && kind !== 'reading'))
  })

  it('is hidden at once with a person, and with its project, and gone behind compaction', async (t) => {
    const { world, opened } = await filled(t)
    const { org, shop } = world
    const person = { orgId: org, projectId: shop.projectId, person: 'id:ada' }
    assert.equal((await opened.house.telemetry.personEvents(shop.projectId, person.person)).events, 1)
    value(await opened.deletePerson(person, anActor()))
    const left = NOTES.filter((text) => text !== 'three')
    assert.deepEqual(await seen(opened, world), [left, METERED])
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual([await seen(opened, world), await findWrongs(opened, world)], [[left, METERED], []])
    value(await opened.house.control.deleteProject(org, shop.projectId, anActor()))
    await opened.house.telemetry.setHidden(await opened.house.control.hidden())
    assert.deepEqual(await seen(opened, world), [[], []])
  })

  it('is checked whole where a page of rows ends within an envelope', async (t) => {
    const world = await aWorld(t, KINDS)
    const opened = await world.open()
    const many = (nth: number) => Array.from({ length: 90 }, (_, index) => aNote(`${nth} ${index}`))
    await bring(opened, world, { bodies: Array.from({ length: 12 }, (_, nth) => envelopeOf(...many(nth))) })
    assert.deepEqual(await findWrongs(opened, world), [])
    assert.equal((await asked(opened, world, ['notes', 'text'])).length, 1_000)
  })

  it('is refused at start where its words cannot be', () => {
    assert.throws(() => kindsOf([...KIND_LIST, note, note]), /the item type note is of one kind/)
    const dataset = { ...READING_DATASET, aliases: ['notes'] }
    const stored = reading.stored === null ? null : { ...reading.stored, dataset }
    assert.throws(() => kindsOf([note, { ...reading, stored }]), /the dataset notes is of one kind/)
    const asked = (words: readonly string[], fields = {}) =>
      datasetOf(READINGS, { name: 'others', words, fields })
    assert.throws(() => asked(['nothing']), /reading has the field nothing/)
    assert.throws(() => asked(['celsius']), /celsius, which is a text/)
    assert.throws(() => asked([], { meter: { unit: 'ms' } }), /meter has a unit/)
  })

  it('compares numbers, times, lists and flags at their edges', async (t) => {
    const world = await aWorld(t, KINDS)
    const opened = await world.open()
    const due = new Date(NOW + MINUTE_MS).toISOString()
    await bring(opened, world, {
      bodies: [
        envelopeOf(aReading(1, { took: 999.5, bytes: 1_000, final: true, due, labels: ['a', 'b c'] })),
        envelopeOf(aReading(2, { took: 1_000, bytes: 1_001, final: false, labels: ['a*'] })),
        envelopeOf(aReading(3, { celsius: -3, took: 1_000.5, labels: [] })),
      ],
    })
    const { datasetQueries } = await import('#queries/datasets/datasets.ts')
    const queries = datasetQueries({
      ...{ datasets: KINDS.datasets, telemetry: opened.house.telemetry, projects: opened.house.reader },
      clock: world.clock,
    })
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const range = { startMs: NOW - DAY, endMs: NOW + DAY }
    const found = async (query: string) => {
      const { rows, problems } = await queries.datasetRows(scope, {
        ...{ dataset: 'readings', projects: null, environments: [], query, range, fields: ['celsius'] },
        ...{ sort: 'id', limit: 10, cursor: null },
      })
      return problems.length > 0 ? problems.map(({ message }) => message).join(' ') : rows.flat()
    }
    for (const [query, values] of [
      ['took:<1s', [1]],
      ['took:<=1s', [1, 2]],
      ['took:>1s', [-3]],
      ['took:>=1s', [2, -3]],
      ['took:1s', [2]],
      ['took:=1000ms', [2]],
      ['!took:1s', [1, -3]],
      ['bytes:1KB', [1]],
      ['bytes:>1kb', [2]],
      ['has:bytes', [1, 2]],
      ['!has:bytes', [-3]],
      ['celsius:-3', [-3]],
      ['celsius:<0', [-3]],
      ['celsius:>=1.5', [2]],
      ['celsius:[1, 2]', [1, 2]],
      ['final:yes', [1]],
      ['final:FALSE', [2]],
      ['!final:yes', [2, -3]],
      ['labels:a', [1]],
      ['labels:"b c"', [1]],
      ['labels:a*', [1, 2]],
      ['labels:a\\*', [2]],
      ['!has:labels', [-3]],
      [`due:${due.slice(0, 10)}`, [1]],
      [`due:>${due}`, []],
      [`due:>=${due}`, [1]],
      [`due:<${due}`, []],
      ['hall', [1, 2, -3]],
    ] as const)
      assert.deepEqual(await found(query), values, query)
    assert.match(String(await found('took:fast')), /“took:” takes a duration/)
    assert.match(String(await found('bytes:1parsec')), /takes a size/)
    assert.match(String(await found('final:maybe')), /takes yes, no/)
    assert.match(String(await found('due:soon')), /takes a time/)
    assert.match(String(await found('colour:red')), /“colour” is no field of readings/)
    const figures = await queries.datasetFigures(scope, {
      ...{ dataset: 'readings', projects: null, environments: [], query: '', range, stepMs: null, limit: 10 },
      fields: ['labels', 'count()', 'avg(took)', 'min(celsius)', 'max(due)', 'sum(bytes)'],
    })
    assert.deepEqual(
      figures.groups.map(({ values, figures: told }) => [...values, ...told]),
      [
        ['a', 1, 999.5, 1, NOW + MINUTE_MS, 1_000],
        ['a*', 1, 1_000, 2, null, 1_001],
        ['b c', 1, 999.5, 1, NOW + MINUTE_MS, 1_000],
        [null, 1, 1_000.5, -3, null, null],
      ],
    )
  })
})
