/** Requests that SDKs name by address alone, once the app's routes are known. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { ProcessedBatch } from '#model/batch.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import {
  anEnvelope,
  directoryWith,
  envelopeOf,
  eventsOf,
  journalRange,
  storedFragments,
} from '#testing/builders/records.ts'
import { createProcessor } from './process.ts'

const FOLDER = new URL('../../../../tests/fixtures/captured-spans/', import.meta.url)
const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'
const PROJECT = projectId(7)

interface CapturedFile {
  readonly items: readonly { readonly name: string; readonly type: string; readonly payload: object }[]
  readonly capturedMs: number
}

function processedWith(file: string, routes: readonly StatedRoute[]): ProcessedBatch {
  const { items, capturedMs }: CapturedFile = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
  const records = items.map(({ type, payload }, at) => ({
    ...anEnvelope(envelopeOf([type, payload]), { receivedMs: capturedMs }),
    seq: seq(at + 1),
  }))
  const directory = { ...directoryWith(), routes: routes.map((one) => ({ ...one, projectId: PROJECT })) }
  return createProcessor({ kinds: KINDS, directory, log: silentLog }).process(records, journalRange(records))
}

/** Returns the routes that the commit would remember. */
function statedIn(batch: ProcessedBatch): readonly StatedRoute[] {
  return storedFragments(batch).flatMap(({ row, own: { stated, statedAs } }) =>
    stated === null || row.route === null || row.end === null
      ? []
      : [{ of: stated, route: statedAs ?? row.route }],
  )
}

type Places = ReadonlyMap<string, string>
/** `kind route` of segments by trace and span, and of errors by their id. */
function placesOf(batch: ProcessedBatch): Places {
  const segments = storedFragments(batch).map(
    ({ row }) => [row.eventId, `${row.requestKind} ${row.route}`] as const,
  )
  const errors = eventsOf(batch).map(
    ({ row }) => [row.eventId, `error, ${row.requestKind} ${row.route}`] as const,
  )
  return new Map<string, string>([...segments, ...errors])
}

/** Each change once, sorted. */
function renamedIn(file: string): readonly string[] {
  const before = processedWith(file, [])
  const after = placesOf(processedWith(file, statedIn(before)))
  const changes = [...placesOf(before)].flatMap(([id, place]) => {
    const is = after.get(id)
    return is === undefined || is === place ? [] : [`${place} -> ${is.replace(/.* /, '')}`]
  })
  return [...new Set(changes)].sort()
}

const RENAMED: Readonly<Record<string, readonly string[]>> = {
  'tanstack-start1.json': [
    'document /boats/* -> /boats/$id',
    'document /boats/sunk -> /boats/$id',
    'error, action /_serverFn/* -> /_serverFn/sinkBoat',
    'error, document /boats/sunk -> /boats/$id',
    'error, page-data /_serverFn/* -> /_serverFn/getBoat',
    'error, page-data /_serverFn/* -> /_serverFn/lateFn',
  ],
  'react-router7.json': [
    'error, browser /shelves/burnt -> /shelves/:shelf',
    'error, browser /staff/none -> /staff/:id?',
    'error, document /shelves/burnt -> /shelves/:shelf',
    'error, document /staff/none -> /staff/:id?',
  ],
  'react-router7-navigations.json': [
    'error, browser /products/broken -> /products/:id',
    'error, document /products/broken -> /products/:id',
    'error, page-data /products/broken -> /products/:id',
    'page-data /products/broken -> /products/:id',
    'page-data /products/hat -> /products/:id',
    'page-data /products/shoe -> /products/:id',
    'page-data /shelves/poems/books/odes -> /shelves/poems/books/:book',
  ],
  'react-router8.json': [
    'error, browser /fails/hydration/nesting -> /fails/hydration/:cause',
    'error, browser /fails/hydration/time-zone -> /fails/hydration/:cause',
  ],
  'nuxt4.json': [
    'document /ships/broken -> /ships/:id',
    'error, document /ships/broken -> /ships/:id',
    'error, route-handler /api/ships/broken -> /api/ships/:id',
    'route-handler /api/ships/broken -> /api/ships/:id',
  ],
  'sveltekit3.json': ['error, document /universal/broken -> /universal/[name]'],
  'astro7.json': ['browser /stones/* -> /stones/[id]'],
  'next11.json': [],
  'next10.json': [],
}

describe('requests and errors that are told by their address', { skip }, () => {
  for (const [file, renamed] of Object.entries(RENAMED))
    it(`are of the routes that others of the app stated: ${file}`, () =>
      assert.deepEqual(renamedIn(file), renamed))
})

describe('the culprit of a server function', { skip }, () => {
  it('is its name once a span told it, and its address before', () => {
    const culprits = (batch: ProcessedBatch) => {
      const all = eventsOf(batch).map(({ row }) => row.culprit)
      return new Set(all.filter((culprit) => culprit.includes('/_serverFn/')))
    }
    const before = processedWith('tanstack-start1.json', [])
    for (const culprit of culprits(before)) assert.match(culprit, /^[A-Z]+ .{11}[0-9a-f]{64}$/)
    const after = culprits(processedWith('tanstack-start1.json', statedIn(before)))
    assert.ok(after.has('GET /_serverFn/getBoat'), [...after].join())
    assert.ok(after.has('POST /_serverFn/sinkBoat'), [...after].join())
  })
})
