/** Segments sent by apps of other frameworks than Next.js; origin in tests/fixtures/captured-spans. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { isSpanBatch, readSpanBatch } from '#normalize/spans/batch.ts'
import type { SpansContext } from '#normalize/spans/fragments.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { segmentFacts } from './segment-facts.ts'

const FOLDER = new URL('../../../../tests/fixtures/captured-spans/', import.meta.url)
/** When they were captured, where the file does not say. */
const CAPTURED_MS = Date.parse('2026-11-23T01:15:00Z')

interface CapturedFile {
  readonly items: readonly { readonly name: string; readonly type: string; readonly payload: object }[]
  readonly capturedMs?: number
}

/** `kind route method status end action`, with `–` for none; what is no traffic is said. */
function captured(file: string): readonly string[] {
  const { items, capturedMs = CAPTURED_MS }: CapturedFile = JSON.parse(
    readFileSync(new URL(file, FOLDER), 'utf8'),
  )
  const context: SpansContext = {
    ...{ eventId: null, receivedMs: capturedMs, sentAt: null, clientAddress: '192.0.2.7', userAgent: null },
    ...{ sdk: null, client: null, trace: null },
  }
  const spans = items.filter(({ type }) => type !== 'event')
  return spans.flatMap(({ name, payload }) => {
    const read = isSpanBatch(payload) ? readSpanBatch(payload, context) : readTransaction(payload, context)
    assert.deepEqual(read.refused, [])
    return read.fragments.map((fragment) => {
      const { kind, route, method, httpStatus, end, action, isTraffic } = segmentFacts(fragment)
      const facts = [kind, route, method, httpStatus, end, action].map((fact) => fact ?? '–').join(' ')
      return `${name}: ${isTraffic ? facts : `${facts} (no traffic)`}`
    })
  })
}

const CAPTURED: Readonly<Record<string, readonly string[]>> = {
  'astro7.json': [
    'doc /stones/7 · server · GET /stones/[id]: document /stones/[id] GET 200 answered –',
    'nav /stones/7 · server · GET /stones/[id]: page-data /stones/[id] GET 200 answered –',
    'nav /stones/7 · browser · /: browser / – – answered –',
    'nav /stones/7 · browser · /stones/7: browser /stones/* – – answered –',
    'doc /stones/broken · server · GET /stones/[id]: document /stones/[id] GET 500 failed –',
    'nav /stones/broken · server · GET /stones/[id]: page-data /stones/[id] GET 500 failed –',
    'nav /stones/broken · server · GET /stones/[id]: document /stones/[id] GET 500 failed –',
    'nav /moved · server · GET /stones/[id]: page-data /stones/[id] GET 200 answered –',
    'doc /render · server · GET /render: document /render GET 200 answered –',
    'nav /render · server · GET /render: page-data /render GET 200 answered –',
    'nav /render · server · GET /render: document /render GET 200 answered –',
    'nav /render · server · GET /render: prefetch /render GET 200 answered –',
    'doc /late-fails · server · GET /late-fails: document /late-fails GET 200 answered –',
    'nav /rest/a/b · server · GET /rest/[...path]: page-data /rest/[...path] GET 200 answered –',
    'nav /rest/a/b · server · GET /rest/[...path]: document /rest/[...path] GET 200 answered –',
    'doc /status · server · GET /status: document /status GET 503 failed –',
    'plain /api/quarry?fail=1 · server · GET /api/quarry: route-handler /api/quarry GET 500 failed –',
    'plain /ledger.csv · server · GET /ledger.csv: route-handler /ledger.csv GET 200 answered –',
    'bare POST /api/quarry · server · POST /api/quarry: route-handler /api/quarry POST 500 failed –',
    'a-form · server · POST /actions: action /actions POST 500 failed form',
    'a-carve · server · POST /_actions/[...path]: action /_actions/[...path] POST 200 answered carve',
    'a-crack · server · POST /_actions/[...path]: action /_actions/[...path] POST 500 failed crack',
    'a-form without js · server · POST /actions: action /actions POST 500 failed form',
    'prefetch · server · GET /stones/[id]: prefetch /stones/[id] GET 200 answered –',
  ],
  'react-router8.json': [
    'home · server · GET /{*splat}: document / GET 200 answered –',
    'home · server · POST /{*splat}: route-handler /monitoring POST 200 – – (no traffic)',
    'document · server · GET /fails/document: document /fails/document GET 500 failed –',
    'navigation · server · GET /{*splat}: page-data /fails/navigation GET 500 failed –',
    'late · server · GET /fails/late: document /fails/late GET 200 answered –',
    'ssr-only · server · GET /fails/ssr-only: document /fails/ssr-only GET 500 failed –',
    'action · server · POST /{*splat}: action /fails/action POST 500 failed –',
    'resource · server · GET /{*splat}: route-handler /api/discount GET 500 failed –',
    'prefetch · server · GET /{*splat}: prefetch /fails/prefetched GET 500 failed –',
    'slow · server · GET /{*splat}: page-data /fails/slow GET 200 answered –',
    'time-zone · server · GET /fails/hydration/:cause: document /fails/hydration/:cause GET 200 answered –',
    'nesting · server · GET /fails/hydration/:cause: document /fails/hydration/:cause GET 200 answered –',
    'moved · server · GET /{*splat}: page-data /fails/moved GET 202 answered –',
    'moved · server · GET /{*splat}: page-data /products/assam GET 200 answered –',
  ],
  'react-router7.json': [
    'doc /shelves/poems · server · GET /:shelf: document /shelves/:shelf GET 200 answered –',
    'doc /shelves/poems · browser · /:shelf: browser /shelves/:shelf – – answered –',
    'nav /shelves/poems/books/broken · server · GET *: page-data /shelves/poems/books/broken GET 500 failed –',
    'nav /shelves/poems/books/broken · server · GET *: prefetch /shelves/poems/books/broken GET 500 failed –',
    'doc /shelves/burnt · server · GET /:shelf: document /shelves/:shelf GET 500 failed –',
    'doc /staff/none · server · GET /staff/:id?: document /staff/:id? GET 500 failed –',
    'doc /staff/none · browser · /staff/:id?: browser /staff/:id? – – answered –',
    'doc /files/a/b/c.txt · server · GET /files/*: document /files/* GET 200 answered –',
    'nav /client?step=server · server · GET *: page-data /client GET 200 answered –',
    'nav /client?step=server · server · GET *: page-data /client GET 500 failed –',
    'plain /exports/bad · server · GET *: route-handler /exports/bad GET 500 failed –',
    'f-load-fail · server · GET *: page-data /api/loans GET 500 failed –',
    'form without js fail · server · POST /loan: action /loan POST 500 failed –',
    'form redirect · server · POST *: action /loan POST 202 answered –',
    'form redirect · server · GET *: page-data /shelves GET 200 answered –',
    'form without js conflict · server · POST /loan: action /loan POST 409 answered –',
  ],
  'sveltekit3.json': [
    'nav /plants/fern · server · GET /plants/[name]: page-data /plants/[name] GET 200 answered –',
    'nav /plants/fern · browser · /: browser / – – answered –',
    'nav /plants/fern · browser · /plants/[name]: browser /plants/[name] – – answered –',
    'doc /plants/broken · server · GET /plants/[name]: document /plants/[name] GET 500 failed –',
    'nav /plants/broken · server · GET /plants/[name]: page-data /plants/[name] GET 200 failed-behind-200 –',
    'nav /plants/missing · server · GET /plants/[name]: page-data /plants/[name] GET 200 answered –',
    'doc /universal/broken · server · GET /universal/[name]: document /universal/[name] GET 500 failed –',
    'doc /wither · server · GET /wither: document /wither GET 503 failed –',
    'doc /group · server · GET /(shed)/group: document /group GET 200 answered –',
    'nav /moved · server · GET /moved: page-data /moved GET 200 answered –',
    'nav /moved · server · GET /plants/[name]: page-data /plants/[name] GET 200 answered –',
    'doc /moved-out · server · GET /moved-out: document /moved-out GET 303 answered –',
    'doc /moved-out · server · GET /export.csv: route-handler /export.csv GET 200 answered –',
    'doc /stream-fails · server · GET /stream-fails: document /stream-fails GET 200 answered –',
    'doc unknown · server · sveltekit.handle.root: other /nowhere/at/all GET 404 – – (no traffic)',
    'plain /api/seeds?fail=1 · server · GET /api/seeds: route-handler /api/seeds GET 500 failed –',
    'plain /export.csv · server · GET /export.csv: route-handler /export.csv GET 200 answered –',
    'prefetch hover · server · GET /plants/[name]: page-data /plants/[name] GET 200 answered –',
    'plain /api/seeds?fail=1 · server · GET /api/seeds: route-handler /api/seeds GET 500 failed –',
    'plain /export.csv · server · GET /export.csv: route-handler /export.csv GET 200 answered –',
    'form drown · server · POST /forms: action /forms POST 500 failed drown',
    'form without js drown · server · POST /forms: action /forms POST 500 failed drown',
    'form invalid · server · POST /forms: action /forms POST 400 answered invalid',
    'form move · server · POST /forms: action /forms POST 200 answered move',
    'form move · server · GET /plants/[name]: page-data /plants/[name] GET 200 answered –',
    'r-list · server · sveltekit.handle.root: page-data /_app/remote/126q91r/list GET 200 answered –',
    'r-bad · server · sveltekit.handle.root: page-data /_app/remote/126q91r/bad GET 200 answered –',
    'r-uproot · server · POST /remote: action /remote POST 200 answered uproot',
  ],
  'tanstack-start1.json': [
    'doc /boats/7 · server · GET /boats/7: document /boats/* GET 200 answered –',
    'nav /boats/7 · browser · /: browser / – – answered –',
    'nav /boats/7 · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'nav /boats/7 · browser · /boats/$id: browser /boats/$id – – answered –',
    'doc /boats/sunk · server · GET /boats/sunk: document /boats/sunk GET 500 failed –',
    'nav /boats/sunk · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'nav /boats/missing · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'doc /moved · server · GET /boats/7: document /boats/* GET 200 answered –',
    'nav /moved · server · GET /_serverFn/fc42379e5a47cefb92e06f16b08d1d58f9348203300145efdb854234211fcb2e: page-data /_serverFn/goAway GET 200 answered –',
    'nav /moved · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'doc /isomorphic-fails · server · GET /isomorphic-fails: document /isomorphic-fails GET 500 failed –',
    'doc /late-fails · server · GET /late-fails: document /late-fails GET 200 answered –',
    'nav /late-fails · server · GET /_serverFn/fdad9d612d006982e945a723dc3b0c523af1678a515b3759921d4695b5db8f23: page-data /_serverFn/lateFn GET 200 answered –',
    'doc /hydrate · server · GET /hydrate: document /hydrate GET 200 answered –',
    'plain /api/tide?fail=1 · server · GET /api/tide: route-handler /api/tide GET 500 failed –',
    'bare POST /api/tide · server · POST /api/tide: route-handler /api/tide POST 500 failed –',
    'save · server · POST /_serverFn/4a9c488c5546b8f1e83d3aa2a690373093a642aa9cbbd9efe0a9d4eaadc4a114: action /_serverFn/saveBoat POST 200 answered saveBoat',
    'sink · server · POST /_serverFn/83c7e3bd9021771fb6a9aca25b372f366c3898633bdd0d109aaedb18c9a16486: action /_serverFn/sinkBoat POST 200 answered sinkBoat',
    'get-sunk · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'prefetch · server · GET /_serverFn/f188b90be9e182709814e2fe74da7a2ec3252b7c62f6e9ace6161a3f936c660c: page-data /_serverFn/getBoat GET 200 answered –',
    'abort nav · server · GET /_serverFn/9bbc426478104b2b07d312167265d4371fed8e0973e0d35250d2291196a97247: page-data /_serverFn/slowFn GET 200 answered –',
  ],
  'nuxt4.json': [
    'doc /ships/7 · server · GET /ships/:id(): document /ships/:id GET 200 answered –',
    'doc /ships/7 · browser · /ships/:id(): browser /ships/:id – – aborted –',
    'nav /ships/7 · server · GET /api/ships/:id: route-handler /api/ships/:id GET 200 answered –',
    'doc /ships/broken · server · GET /__nuxt_error: document /ships/broken GET 500 failed –',
    'nav /ships/broken · server · GET /api/ships/broken: route-handler /api/ships/broken GET 500 failed –',
    'nav /ships/broken · server · GET /api/ships/broken: route-handler /api/ships/broken GET 500 failed –',
    'doc /render · server · GET /__nuxt_error: document /render GET 500 failed –',
    'doc /ssr-only · server · GET /__nuxt_error: document /ssr-only GET 500 failed –',
    'doc /hydrate · server · GET /hydrate: document /hydrate GET 200 answered –',
    'doc /files/a/b · server · GET /files/:path(.*)*: document /files/:path(.*)* GET 200 answered –',
    'doc /lazy-data · server · GET /lazy-data: document /lazy-data GET 200 answered –',
    'doc /setup-fails · server · GET /__nuxt_error: document /setup-fails GET 500 failed –',
    'plain /api/cargo?fail=1 · server · GET /api/cargo: route-handler /api/cargo GET 500 failed –',
    'api · server · GET /api/cargo: route-handler /api/cargo GET 500 failed –',
    'api · server · GET /api/cargo: route-handler /api/cargo GET 500 failed –',
    'post · server · POST /api/cargo: route-handler /api/cargo POST 500 failed –',
    'abort doc · server · GET /slow: document /slow GET 200 answered –',
  ],
}

const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'

describe('segments that apps of other frameworks sent', { skip }, () => {
  for (const [file, expected] of Object.entries(CAPTURED)) {
    it(file, () => assert.deepEqual(captured(file), expected))
  }
})
