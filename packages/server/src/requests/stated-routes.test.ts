import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestKind } from '#model/event.ts'
import { statedRouteOf } from './stated-routes.ts'

describe('what is remembered of a route that an SDK stated', () => {
  const CASES: readonly (readonly [route: string, kind: RequestKind, sdk: string, of: string | null])[] = [
    ['/boats/$id', 'browser', 'sentry.javascript.tanstackstart-react', 'pages'],
    ['/boats/new', 'browser', 'sentry.javascript.tanstackstart-react', 'pages'],
    ['/shelves/:shelf', 'document', 'sentry.javascript.react-router', 'pages'],
    ['/api/ships/:id', 'route-handler', 'sentry.javascript.nuxt', 'handlers'],
    ['/files/:path(.*)*', 'browser', 'sentry.javascript.nuxt', 'pages'],
    ['/:lang/terms', 'browser', 'sentry.javascript.nuxt', 'pages'],
    ['/shelves/*/books/:book', 'browser', 'sentry.javascript.react-router', 'pages'],
    ['/docs/[...path]/edit', 'document', 'sentry.javascript.sveltekit', null],
    // Of a nested route it may be the last part alone.
    ['/:shelf/books', 'browser', 'sentry.javascript.react-router', null],
    ['/:slug', 'browser', 'sentry.javascript.nuxt', null],
    ['/a/:b?/:c?/:d?', 'browser', 'sentry.javascript.nuxt', 'pages'],
    ['/a/:b?/:c?/:d?/:e?', 'browser', 'sentry.javascript.nuxt', null],
    ['/*', 'document', 'sentry.javascript.react-router', null],
    ['/$', 'browser', 'sentry.javascript.tanstackstart-react', null],
    ['/', 'browser', 'sentry.javascript.nuxt', null],
    ['/post-[id]', 'document', 'sentry.javascript.sveltekit', null],
    ['/boats/$id', 'page-data', 'sentry.javascript.tanstackstart-react', null],
  ]
  for (const [route, kind, sdk, of] of CASES)
    it(`${kind} ${route}, ${sdk}: ${of}`, () => assert.equal(statedRouteOf(route, kind, sdk), of))
})
