/** Debug ids in scripts and maps: what ran still runs, and every place still leads where it led. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import {
  AnyMap,
  encodedMap,
  originalPositionFor,
  type SourceMapInput,
  TraceMap,
} from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import { debugIdIn, newDebugId, snippetLine, withSnippet } from './debug-id.ts'
import { leadOf } from './lead.ts'
import {
  BrokenMap,
  debugIdOf,
  parseMap,
  type SourceMapJson,
  withDebugId,
  withLineBefore,
} from './source-map.ts'

const ID = '0a1b2c3d-0000-4000-8000-00000000000a'

const LEADS = [
  '',
  '#!/usr/bin/env node\n',
  '#!/usr/bin/env node\r\n"use strict";\r\n',
  '\uFEFF',
  '\uFEFF"use strict";',
  '"use strict";',
  "'use strict'\n",
  '// a licence\n/* another * one */ "use client"; \'use strict\';',
  "\n\n  'use\\'d';\n",
] as const
const line = fc.stringMatching(/^[a-z(){};=. ]{0,30}$/)

/** A script, and a map of it whose mappings stand anywhere. */
const built = fc
  .record({ lead: fc.constantFrom(...LEADS), lines: fc.array(line, { minLength: 1, maxLength: 12 }) })
  .chain(({ lead, lines }) => {
    const script = `${lead}${lines.join('\n')}\n`
    const texts = script.split('\n')
    const mapping = fc.tuple(fc.nat(40), fc.nat(2), fc.nat(500), fc.nat(80))
    return fc.record({
      script: fc.constant(script),
      mappings: fc.tuple(...texts.map(() => fc.array(mapping, { maxLength: 6 }))),
      cut: fc.nat(texts.length),
    })
  })

type Segment = readonly [column: number, source: number, line: number, originalColumn: number]

function mapOf(mappings: readonly (readonly Segment[])[]): SourceMapJson {
  const sorted = mappings.map((segments) =>
    [...segments].sort((a, b) => a[0] - b[0]).map((each) => [...each]),
  )
  const decoded = { version: 3, sources: ['a.ts', 'b.ts', 'c.ts'], names: [], mappings: sorted }
  return { ...encodedMap(new TraceMap(decoded as unknown as SourceMapInput)) } // segments of four numbers each
}

/** The same as an index map of two sections, of which the second begins in the middle of a line. */
function indexed(mappings: readonly (readonly Segment[])[], cut: number): SourceMapJson {
  const column = 7
  const first = mappings
    .slice(0, cut + 1)
    .map((segments, at) => (at === cut ? segments.filter(([c]) => c < column) : segments))
  const second = mappings
    .slice(cut)
    .map((segments, at) =>
      at > 0
        ? segments
        : segments.flatMap(([c, ...rest]): Segment[] => (c < column ? [] : [[c - column, ...rest]])),
    )
  return {
    version: 3,
    sections: [
      { offset: { line: 0, column: 0 }, map: mapOf(first) },
      { offset: { line: cut, column }, map: mapOf(second) },
    ],
  }
}

function tracer(map: SourceMapJson) {
  const traced = new AnyMap(map as unknown as SourceMapInput) // made above
  return (at: number, column: number) => originalPositionFor(traced, { line: at + 1, column })
}

describe('an injected script', () => {
  it('leads from every place to where it led before', () => {
    fc.assert(
      fc.property(built, ({ script, mappings, cut }) => {
        const { script: injected, line: before } = withSnippet(script, ID)
        const [old, now] = [script.split('\n'), injected.split('\n')]
        for (const map of [mapOf(mappings), indexed(mappings, Math.min(cut, mappings.length - 1))]) {
          const was = tracer(map)
          const is = tracer(parseMap(JSON.stringify(withDebugId(withLineBefore(map, before), ID))))
          for (const [at, text] of old.entries()) {
            const moved = at < before ? at : at + 1
            // What was not the last, empty line is as it was.
            if (at < old.length - 1) assert.ok(now[moved]?.endsWith(text.replace('\uFEFF', '')))
            for (let column = 0; column <= 40; column++) assert.deepEqual(is(moved, column), was(at, column))
          }
        }
      }),
    )
  })

  it('has its id once, is known again, and begins with the line that moved its map', () => {
    fc.assert(
      fc.property(built, ({ script }) => {
        const { script: injected, line: before } = withSnippet(script, ID)
        assert.deepEqual(debugIdIn(injected), { id: ID, isRegistered: true })
        assert.equal(snippetLine(injected, ID), before)
        assert.equal(snippetLine(script, ID), null)
        assert.equal(injected.split(ID).length - 1, 2)
      }),
    )
  })

  it('runs as it ran, strict where it was, and tells its id', () => {
    const rows: readonly (readonly [script: string, value: unknown])[] = [
      ['(function(){return this===undefined})()', false],
      ['"use strict";(function(){return this===undefined})()', true],
      ["'use strict'\n(function(){return this===undefined})()", 'no function'],
      ['// licence\n"use strict"\nvar f=function(){return this===undefined};f()', true],
      ['\uFEFF"use strict";(function(){return this===undefined})()', true],
      ['#!/usr/bin/env node\n"use strict";(function(){return this===undefined})()', true],
      ['/* "use strict"; */(function(){return this===undefined})()', false],
      ['"a"\n.length', 1],
      ['"a"\n+"b"', 'ab'],
      ['`use strict`;(function(){return this===undefined})()', false],
    ]
    for (const [script, value] of rows) {
      const run = (text: string) => {
        const context: { _sentryDebugIds?: Readonly<Record<string, string>> } = {}
        try {
          return {
            value: runInNewContext(text, context) as unknown,
            ids: Object.values(context._sentryDebugIds ?? {}),
          } // whatever it ends with
        } catch {
          return { value: 'no function', ids: Object.values(context._sentryDebugIds ?? {}) }
        }
      }
      assert.equal(run(script).value, value, script)
      assert.deepEqual(run(withSnippet(script, ID).script), { value, ids: [ID] }, script)
    }
  })
})

describe('the lead of a script', () => {
  it('takes no longer for texts made to be read in many ways', () => {
    const begun = performance.now()
    for (const text of [
      `${'/**/ '.repeat(10_000)}x`,
      ' '.repeat(64_000),
      `"a"${'\n'.repeat(60_000)}.b`,
      '"'.repeat(60_000),
    ])
      leadOf(text)
    assert.ok(performance.now() - begun < 2_000)
  })
})

describe('the debug id of a script', () => {
  const OTHER = 'ffffffff-1111-4222-8333-444444444444'
  const rows: readonly (readonly [what: string, script: string, found: ReturnType<typeof debugIdIn>])[] = [
    ['none', 'a()\n//# sourceMappingURL=a.map\n', null],
    ['of a bundler’s comment alone', `a()\n//# debugId=${ID}\n`, { id: ID, isRegistered: false }],
    [
      'of a plugin, which writes no comment',
      `;{try{let e=window;e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${ID}",e._sentryDebugIdIdentifier="sentry-dbid-${ID}"}catch(e){}};a()`,
      { id: ID, isRegistered: true },
    ],
    [
      'of Turbopack',
      `;!function(){try{var e=globalThis,n=(new e.Error).stack;n&&((e._debugIds|| (e._debugIds={}))[n]="${ID.toUpperCase()}")}catch(e){}}();\na()\n//# debugId=${ID.toUpperCase()}\n//# sourceMappingURL=x.map\n`,
      { id: ID, isRegistered: true },
    ],
    [
      'of the script, not that of a package in it',
      `!function(){e._sentryDebugIds[n]="${OTHER}"}();a();\n!function(){e._sentryDebugIds[n]="${ID}"}()\n//# debugId=${ID}\n`,
      { id: ID, isRegistered: true },
    ],
    ['none where the SDK reads them', 'let t=wn._sentryDebugIds,n=wn._debugIds;if(!t&&!n)return{}', null],
  ]
  for (const [what, script, found] of rows) it(`is ${what}`, () => assert.deepEqual(debugIdIn(script), found))

  it('is the same for the same build, another for another, and a UUID', () => {
    const id = newDebugId('a()', '{}')
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(newDebugId('a()', '{}'), id)
    assert.notEqual(newDebugId('a()', '{ }'), id)
    assert.notEqual(newDebugId('b()', '{}'), id)
  })

  it('stands in a map under both names', () => {
    const map = withDebugId({ version: 3 }, ID)
    assert.deepEqual([map.debugId, map.debug_id, debugIdOf(map)], [ID, ID, ID])
    assert.equal(debugIdOf({ debug_id: ID.toUpperCase() }), ID)
    assert.equal(debugIdOf({ debugId: 'x' }), null)
  })
})

describe('a map', () => {
  const plain = { version: 3, sources: [], mappings: '' }
  const rows: readonly (readonly [text: string, why: RegExp])[] = [
    ['<!doctype html>', /isn’t JSON/],
    ['[]', /isn’t a JSON object/],
    ['{"version":2}', /version 3/],
    ['{"version":3,"sources":[]}', /no mappings/],
    ['{"version":3,"mappings":""}', /no list of sources/],
    ['{"version":3,"sections":{}}', /aren’t a list/],
    ['{"version":3,"sections":[{"offset":{"line":0,"column":0}}]}', /no offset or no map/],
    [
      JSON.stringify({ version: 3, sections: [{ offset: { line: 2_000_000_000, column: 0 }, map: plain }] }),
      /has no position/,
    ],
  ]
  for (const [text, why] of rows) {
    it(`is refused: ${text.slice(0, 60)}`, () => {
      assert.throws(
        () => parseMap(text),
        (cause) => cause instanceof BrokenMap && why.test(cause.message),
      )
    })
  }

  it('is read behind the guard that some servers put before JSON', () => {
    assert.deepEqual(parseMap(`)]}'\n${JSON.stringify(plain)}`), plain)
  })
})
