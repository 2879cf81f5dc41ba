import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { originalPlaces } from '#testing/builders/source-map.ts'
import { cpuMs } from '#testing/cpu-time.ts'

const BUILT = new URL('../../../../../tests/fixtures/builds/built/webpack-terser.mjs', import.meta.url)
const code = readFileSync(BUILT, 'utf8')
const map = readFileSync(new URL(`${BUILT.href}.map`))

const ID = '4df41395-ea6c-5db4-8d48-7f41b00af0fe'
const GLOBAL =
  '"undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{}'
const REGISTER = `n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${ID}"`
const PACKAGES = JSON.stringify(Array.from({ length: 400 }, (_, at) => `package-${at}`))

/** Snippets as tools write them. */
const SNIPPETS: Readonly<Record<string, string>> = {
  'sentry-cli 2 and 3': `!function(){try{var e=${GLOBAL},n=(new e.Error).stack;${REGISTER})}catch(e){}}();\n`,
  'bundler plugins 5 and 11': `!function(){try{var e=${GLOBAL};var n=(new e.Error).stack;${REGISTER},e._sentryDebugIdIdentifier="sentry-dbid-${ID}");}catch(e){}}();`,
  'bundler plugins 11, with the release and its packages': `!function(){try{var e=${GLOBAL};e.SENTRY_RELEASE={id:"shop@1"};e.SENTRY_BUILD_INFO={"deps":${PACKAGES}};var n=(new e.Error).stack;${REGISTER},e._sentryDebugIdIdentifier="sentry-dbid-${ID}");}catch(e){}}();`,
  'bundler plugins 2 to 4': `;{try{let e=${GLOBAL},n=(new e.Error).stack;${REGISTER},e._sentryDebugIdIdentifier="sentry-dbid-${ID}")}catch(e){}};`,
  'bundler plugins 4, in a function': `;{try{(function(){var e=${GLOBAL},n=(new e.Error).stack;${REGISTER},e._sentryDebugIdIdentifier="sentry-dbid-${ID}");})();}catch(e){}};`,
}

const NEEDLE = 'no price: '

function lineAndColumn(text: string) {
  const before = text.slice(0, text.indexOf(NEEDLE)).split('\n')
  return [before.length, (before.at(-1) ?? '').length + 1] as const
}

/** Returns where the message of a failure comes from. */
function originOf(file: string, json: Uint8Array): string {
  const places = originalPlaces(json, { minified: Buffer.from(file) })
  const place = places.find(...lineAndColumn(file))
  return `${place?.source.split('/').at(-1)}:${place?.line} ${place?.functionName}`
}
const EXPECTED = 'cart.ts:39 Cart.#check'

/** The map as its tool moves it along: lines and columns of nothing before the first mapping. */
function moved(prefix: string): Uint8Array {
  const lines = prefix.split('\n')
  const parsed = JSON.parse(map.toString('utf8'))
  const index = { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 }
  return Buffer.from(JSON.stringify({ version: 3, sections: [{ offset: index, map: parsed }] }))
}

const BANNER =
  ';(function(){var g=globalThis.__SENTRY_ORCHESTRION__=globalThis.__SENTRY_ORCHESTRION__||{};g.bundler=g.bundler||new Set();})();'

describe('a file that begins with the line of instrumented entries', () => {
  const [snippet = ''] = Object.values(SNIPPETS).slice(2)
  it('is resolved where the map knows the snippet behind it alone', () =>
    assert.equal(originOf(`${BANNER}${snippet}${code}`, moved(snippet)), EXPECTED))
  it('is resolved where the map knows both', () =>
    assert.equal(originOf(`${BANNER}${snippet}${code}`, moved(`${BANNER}${snippet}`)), EXPECTED))
  it('is resolved where the map knows neither', () =>
    assert.equal(originOf(`${BANNER}${snippet}${code}`, map), EXPECTED))
  it('is resolved without a snippet', () => {
    assert.equal(originOf(`${BANNER}${code}`, map), EXPECTED)
    assert.equal(originOf(`${BANNER}${code}`, moved(BANNER)), EXPECTED)
  })
})

describe('a file that begins with the snippet of a debug id', () => {
  it('is this one', () => assert.equal(originOf(code, map), EXPECTED))

  for (const [tool, snippet] of Object.entries(SNIPPETS)) {
    it(`is resolved where ${tool} moved the map along`, () => {
      assert.equal(originOf(`${snippet}${code}`, moved(snippet)), EXPECTED)
      assert.equal(originOf(`\n${snippet}${code}`, moved(`\n${snippet}`)), EXPECTED)
    })

    it(`is resolved where ${tool} left the map as it was`, () => {
      assert.equal(originOf(`${snippet}${code}`, map), EXPECTED)
    })

    for (const first of ['"use strict";', '#!/usr/bin/env node\n', "/* shop */\n'use client';\n"]) {
      it(`behind ${JSON.stringify(first)}, by ${tool}`, () => {
        assert.equal(originOf(`${first}${snippet}${code}`, moved(first)), EXPECTED)
        assert.equal(originOf(`${first}${snippet}${code}`, moved(`${first}${snippet}`)), EXPECTED)
      })
    }
  }

  it('is left alone where a tool maps the snippet to the place it was put to', () => {
    const snippet = SNIPPETS['bundler plugins 5 and 11'] ?? ''
    const names = { version: 3, sources: ['first.ts'], names: [], mappings: 'AAAA,cAAA,cAAA' }
    const parsed = JSON.parse(map.toString('utf8'))
    const sections = [
      { offset: { line: 0, column: 0 }, map: names },
      { offset: { line: 0, column: snippet.length }, map: parsed },
    ]
    const json = Buffer.from(JSON.stringify({ version: 3, sections }))
    assert.equal(originOf(`${snippet}${code}`, json), EXPECTED)
  })

  it('is searched for in little time, however its beginning repeats itself', () => {
    const hostile = `!function(){try{${'e._sentryDebugIds}catch('.repeat(20_000)}`
    const start = cpuMs()
    originalPlaces(map, { minified: Buffer.from(hostile) })
    originalPlaces(map, { minified: Buffer.from('/*'.repeat(100_000)) })
    assert.ok(cpuMs() - start < 2_000)
  })
})
