import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compiledBytes, originalPlaces } from '#testing/builders/source-map.ts'
import { MapMemory } from './map-memory.ts'
import { openCompiledMap } from './open.ts'

describe('what is remembered of maps', () => {
  it('is each map’s own, and stays below its bound', () => {
    const memory = new MapMemory(1_000)
    const [one, other] = [memory.part<{ at: number }>(), memory.part<{ at: number }>()]
    for (let at = 0; at < 4; at++) one.set(at, { at }, 100)
    other.set(0, { at: 99 }, 100)
    assert.deepEqual([one.get(0), other.get(0), other.get(1)], [{ at: 0 }, { at: 99 }, undefined])
    for (let at = 4; at < 20; at++) {
      one.set(at, { at }, 100)
      assert.ok(other.get(0) !== undefined, 'what is asked for stays')
    }
    const left = Array.from({ length: 20 }, (_, at) => one.get(at)).filter((each) => each !== undefined)
    assert.ok(left.length > 0 && left.length <= 10, `${left.length} of 100 bytes each`)
  })

  it('may be as little as nothing: then everything is read again', () => {
    const map = {
      ...{ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA;AACA' },
      sourcesContent: ['function a() {}\nfunction b() {}\n'],
    }
    const bytes = compiledBytes(map)
    let reads = 0
    const file = {
      read: (at: number, count: number) => {
        reads++
        return bytes.subarray(at, at + count)
      },
    }
    const memory = new MapMemory(0)
    const [places, other] = [openCompiledMap(file, memory), openCompiledMap(file, memory)]
    const expected = originalPlaces(map)
    for (const line of [1, 2, 1, 2]) assert.deepEqual(places?.find(line, 1), expected.find(line, 1))
    other?.find(2, 1)
    const before = reads
    places?.find(1, 1)
    assert.ok(reads > before)
  })
})
