/**
 * Counts what a batch and an action ask of the control store: calls, statements and distinct texts, in one process without threads,
 * from the sources. A call is one method of a connection with one text, whatever number of rows it takes. Numbers are exact and the same
 * in every run.
 *
 *   node scripts/with-node24.mjs benchmarks/control-calls.ts [--texts] [--actions]
 *
 * Batches are of generated errors, 100 and 1,000, each after two others of 1,000: three groups, those of 400 stacks, and all
 * different, where every event begins an issue or nearly; and one of everything that is captured. `--texts` lists what ran most often,
 * `--actions` counts actions alone, and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callerOf, openShop, type Shop } from '../packages/server/testing/worlds/api.ts'
import { table } from '../scripts/markdown-table.ts'
import { ROOT } from '../scripts/node24.mjs'
import { type CorpusSpec, corpusEvent, envelopeOf, type Stacks } from './corpus/corpus.ts'
import { type Asked, countingAsked } from './house/statements.ts'
import { capturedBodies } from './pairs/captured.ts'

const SETS: readonly { readonly name: string; readonly stacks: Stacks }[] = [
  { name: 'known groups (3 stacks)', stacks: 3 },
  { name: '400 stacks', stacks: 400 },
  { name: 'all new', stacks: 'all' },
]
const SIZES = [100, 1_000]
const WARM = 1_000
const TEXTS_SHOWN = 90
const RECORDS_MAX = 10_000

const { values } = parseArgs({
  options: {
    texts: { type: 'boolean', default: false },
    actions: { type: 'boolean', default: false },
  },
})
const counter = countingAsked()

async function main(): Promise<void> {
  if (values.actions) {
    console.log(tableOfActions(await actionsOf()))
    return
  }
  const batches: (readonly [string, number, Asked])[] = []
  for (const { name, stacks } of SETS) {
    for (const size of SIZES) batches.push([name, size, await batchOf(stacks, size)])
  }
  batches.push(['everything that is captured', capturedBodies().length, await batchOfEverything()])
  const actions = await actionsOf()
  const said = [
    '# Calls of the control store',
    '',
    'Made by `benchmarks/control-calls.ts` (which says what is counted). Without the statements that begin and end transactions.',
    '',
    table(
      ['batch', 'events', 'calls', 'statements', 'distinct texts'],
      batches.map(([name, size, { calls, statements, texts }]) => [
        name,
        size,
        calls,
        statements,
        texts.size,
      ]),
    ),
    '',
    tableOfActions(actions),
    '',
  ].join('\n')
  console.log(said)
  if (values.texts)
    for (const [name, size, counted] of batches) console.log(mostRun(`${name}, ${size}`, counted))
  writeFileSync(join(ROOT, 'benchmarks/results/house-calls.md'), said)
}

function tableOfActions(actions: readonly (readonly [string, Asked])[]): string {
  return table(
    ['action over the API', 'calls', 'statements', 'distinct texts'],
    actions.map(([name, { calls, statements, texts }]) => [name, calls, statements, texts.size]),
  )
}

async function batchOf(stacks: Stacks, size: number): Promise<Asked> {
  const spec: CorpusSpec = { kind: 'error-5k', stacks, seed: 7 }
  const shop = await openShop()
  try {
    await accept(shop, errorsOf(shop, spec, 0, WARM))
    await shop.drain(RECORDS_MAX)
    await accept(shop, errorsOf(shop, spec, WARM, WARM))
    await shop.drain(RECORDS_MAX)
    await accept(shop, errorsOf(shop, spec, 2 * WARM, size))
    return await countedCommit(shop)
  } finally {
    await shop.close()
  }
}

/** Counts what the commit of one batch asks. */
async function countedCommit(shop: Shop): Promise<Asked> {
  const all: Asked[] = []
  await shop.drain(RECORDS_MAX, async (work) => void all.push(await counter.during(work)))
  const [only, ...others] = all
  if (only === undefined || others.length > 0) throw new Error(`${all.length} batches instead of one`)
  return only
}

async function batchOfEverything(): Promise<Asked> {
  const shop = await openShop()
  try {
    await accept(shop, capturedBodies())
    return await countedCommit(shop)
  } finally {
    await shop.close()
  }
}

function errorsOf(shop: Shop, spec: CorpusSpec, first: number, count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const atMs = shop.clock.now() - count + index
    return Buffer.from(envelopeOf(spec, corpusEvent(spec, first + index, atMs), atMs))
  })
}

/** Into the journal: nothing of it is counted. */
async function accept(shop: Shop, bodies: readonly Uint8Array[]): Promise<void> {
  const { username, pathname } = new URL(shop.dsn)
  for (const body of bodies) {
    const isZipped = body[0] === 0x1f
    await shop.accept.accept({
      ...{ projectRef: pathname.slice(1), format: 'envelope', body },
      query: new URLSearchParams({ sentry_key: username }),
      ...{ sentryAuth: null, authorization: null, origin: null, referer: null, relay: null },
      ...{ contentEncoding: isZipped ? 'gzip' : null, contentType: 'application/x-sentry-envelope' },
      ...{ userAgent: 'sdk/1', clientAddress: '198.51.100.4' },
    })
  }
}

async function actionsOf(): Promise<readonly (readonly [string, Asked])[]> {
  const shop = await openShop()
  try {
    const spec: CorpusSpec = { kind: 'error-5k', stacks: 400, seed: 7 }
    await accept(shop, errorsOf(shop, spec, 0, 300))
    await shop.drain(RECORDS_MAX)
    const call = callerOf(shop)
    const issues = '/organizations/acme/issues/'
    const { owner } = shop.people
    const hundred = Array.from({ length: 100 }, (_, index) => `SHOP-${index + 20}`)
    const many = hundred.map((id) => `id=${id}`).join('&')
    const asked: readonly (readonly [string, string, unknown?])[] = [
      ['list 25 issues', `GET ${issues}?limit=25`],
      ['one issue', `GET ${issues}SHOP-1/`],
      ['resolve one', `PUT ${issues}SHOP-2/`, { status: 'resolved' }],
      ['resolve 100', `PUT ${issues}?${many}`, { status: 'resolved' }],
      ['assign one', `PUT ${issues}SHOP-3/`, { assignedTo: owner.email }],
      ['merge two', `PUT ${issues}?id=SHOP-4&id=SHOP-5`, { merge: 1 }],
      ['comment', `POST ${issues}SHOP-6/comments/`, { text: 'look' }],
      ...managing(),
    ]
    const counted: (readonly [string, Asked])[] = []
    /** Ids that answers gave: `{key}` of a later path is that of the key made last. */
    const made = new Map<string, string>()
    for (const [name, path, body] of asked)
      counted.push([
        name,
        await counter.during(async () => {
          const filled = path.replaceAll(/\{(\w+)\}/g, (_, thing: string) => made.get(thing) ?? thing)
          const { status, body: answer } = await call(owner, filled, body)
          if (status >= 300) throw new Error(`${filled}: ${status} ${JSON.stringify(answer)}`)
          if (typeof answer === 'object' && answer !== null && 'id' in answer)
            made.set(name.split(' ').at(-1) ?? name, String(answer.id))
        }),
      ])
    return counted
  } finally {
    await shop.close()
  }
}

/** Actions of managers: projects, keys, teams, members, releases, rules. Last words name what an answer's id is of. */
function managing(): readonly (readonly [string, string, unknown?])[] {
  const org = '/organizations/acme/'
  const project = '/projects/acme/shop/'
  const commits = [1, 2, 3].map((number) => ({ id: String(number).repeat(40), message: 'mend' }))
  return [
    ['create a project', `POST ${org}projects/`, { name: 'Annexe', platform: 'node' }],
    ['rename a project', `PUT ${project}`, { name: 'The shop' }],
    ['create a key', `POST ${project}keys/`, { name: 'Second' }],
    ['disable a key', `PUT ${project}keys/{key}/`, { isActive: false }],
    ['delete a key', `DELETE ${project}keys/{key}/`],
    ['create a team', `POST ${org}teams/`, { name: 'Tills' }],
    ['rename a team', 'PUT /teams/acme/tills/', { name: 'Till' }],
    ['delete a team', 'DELETE /teams/acme/tills/'],
    ['invite a member', `POST ${org}members/`, { email: 'new@shop.example', orgRole: 'member' }],
    ['create a release', `POST ${org}releases/`, { version: 'shop@9', projects: ['shop'] }],
    ['set commits', `PUT ${org}releases/shop@9/`, { commits }],
    ['deploy', `POST ${org}releases/shop@9/deploys/`, { environment: 'production' }],
    ['finalise', `PUT ${org}releases/shop@9/`, { dateReleased: '2026-11-21T10:00:00Z' }],
    ['delete a release', `DELETE ${org}releases/shop@9/`],
    ['delete a project', 'DELETE /projects/acme/annexe/'],
  ]
}

function mostRun(name: string, { texts }: Asked): string {
  const sorted = [...texts].sort((a, b) => b[1] - a[1]).slice(0, TEXTS_SHOWN)
  const lines = sorted.map(
    ([text, times]) => `  ${String(times).padStart(5)}  ${text.replaceAll(/\s+/g, ' ').slice(0, 150)}`,
  )
  return [`\n${name}:`, ...lines].join('\n')
}

await main()
