/**
 * Cost of look-ups. Printed: the goals are 1 ms to open a known map and 50 µs a frame, on an idle machine.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { encodedMap, type SourceMapSegment, TraceMap } from '@jridgewell/trace-mapping'
import { openMapFile } from '#store/artifact-files/map-files.ts'
import { compiledBytes } from '#testing/builders/source-map.ts'
import { openCompiledMap } from './open.ts'

const SOURCES = 100
const FUNCTIONS = 20
const LINES = 6
const TOKENS = SOURCES * FUNCTIONS * LINES * 4
const FRAMES = 4_000

function aLargeMap() {
  const sources = Array.from({ length: SOURCES }, (_, at) => `src/part-${at}/cart.ts`)
  const functionText = (source: number, at: number) =>
    [`export async function total${source}of${at}(order) {`, ...Array(LINES - 2).fill(LINE), '}'].join('\n')
  const sourcesContent = sources.map((_, source) =>
    Array.from({ length: FUNCTIONS }, (_one, at) => functionText(source, at)).join('\n'),
  )
  const segments = Array.from({ length: TOKENS }, (_, at): SourceMapSegment => {
    const line = Math.floor(at / 4)
    return [at * 5, Math.floor(line / (FUNCTIONS * LINES)), line % (FUNCTIONS * LINES), (at % 4) * 3]
  })
  const { mappings } = encodedMap(new TraceMap({ version: 3, sources, names: [], mappings: [segments] }))
  return { version: 3, sources, sourcesContent, names: [], mappings }
}

const LINE = '  const sum = await load(order.items.map((item) => item.price * item.count))'

it('opens a known map and finds frames in little time', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-open-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'map')
  writeFileSync(path, compiledBytes(aLargeMap()))
  const opened = () => {
    const file = openMapFile(path)
    return (file && openCompiledMap(file)) ?? assert.fail('it opens')
  }
  const openUs = cpuUsOf(() => opened(), 50)
  const places = opened()
  let at = 1
  const frameUs = cpuUsOf(() => {
    at = (at * 48_271) % 2_147_483_647 // places all over the map, none twice
    assert.ok(places.find(1, 1 + (at % TOKENS) * 5) !== null)
  }, FRAMES)
  t.diagnostic(`opened in ${openUs.toFixed(0)} µs, a frame in ${frameUs.toFixed(1)} µs of CPU`)
  // Ten times the goals: only what grew by an order fails on a machine that is busy.
  assert.ok(openUs < 10_000, `${openUs} µs to open`)
  assert.ok(frameUs < 500, `${frameUs} µs a frame`)
})

function cpuUsOf(work: () => void, times: number): number {
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}
