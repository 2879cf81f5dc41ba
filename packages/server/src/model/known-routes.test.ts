import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestKind } from './event.ts'
import { KnownRoutes, type StatedRoute } from './known-routes.ts'

const pages = (...routes: readonly string[]): readonly StatedRoute[] =>
  routes.map((route) => ({ of: 'pages', route }))

describe('requests that are told by their address', () => {
  const known = new KnownRoutes([
    ...pages('/', '/boats', '/boats/$id', '/boats/new', '/shelves/:shelf', '/shelves/:shelf/books/:book'),
    ...pages('/rooms/*/beds/:bed'),
    ...pages('/files/*', '/staff/:id?', '/docs/[...path]', '/:lang/terms', '/ships/:id', '/ships/$id/crew'),
    { of: 'handlers', route: '/api/ships/:id' },
    { of: 'handlers', route: '/api/ships/stats' },
  ])
  const NAMED: readonly (readonly [address: string, kind: RequestKind, route: string])[] = [
    ['/boats/sunk', 'document', '/boats/$id'],
    ['/boats/*', 'document', '/boats/$id'],
    ['/boats/new', 'document', '/boats/new'],
    ['/shelves/poems/books/broken', 'page-data', '/shelves/:shelf/books/:book'],
    ['/shelves/poems', 'prefetch', '/shelves/:shelf'],
    ['/shelves/poems', 'action', '/shelves/:shelf'],
    ['/files/a/b.txt', 'page-data', '/files/*'],
    ['/files', 'page-data', '/files/*'],
    ['/staff', 'page-data', '/staff/:id?'],
    ['/staff/none', 'page-data', '/staff/:id?'],
    ['/docs/a/b', 'document', '/docs/[...path]'],
    ['/en/terms', 'document', '/:lang/terms'],
    ['/ships/7/crew', 'document', '/ships/$id/crew'],
    ['/api/ships/broken', 'route-handler', '/api/ships/:id'],
    ['/api/ships/stats', 'route-handler', '/api/ships/stats'],
    ['/rooms/7/beds/last', 'page-data', '/rooms/*/beds/:bed'],
    ['/rooms/*/beds/last', 'page-data', '/rooms/*/beds/:bed'],
    // Nobody stated one, or of another sort.
    ['/rooms/7', 'document', '/rooms/7'],
    ['/boats/7/log', 'document', '/boats/7/log'],
    ['/boats/sunk', 'route-handler', '/boats/sunk'],
    ['/api/ships/broken', 'page-data', '/api/ships/broken'],
    ['/boats/7', 'static', '/boats/7'],
    // What is a pattern already.
    ['/boats/[...rest]', 'browser', '/boats/[...rest]'],
    ['/boats/:id', 'browser', '/boats/:id'],
    ['/', 'document', '/'],
  ]
  for (const [address, kind, route] of NAMED)
    it(`${kind} ${address} is ${route}`, () => assert.equal(known.nameOf(address, kind), route))

  it('are named by the name of their function, where a request said it', () => {
    const functions = new KnownRoutes([{ of: 'functions', route: 'f188b90b /_serverFn/getBoat' }])
    assert.deepEqual(
      [
        functions.ofFunction('f188b90b'),
        functions.ofFunction('0c1d'),
        functions.nameOf('/_serverFn/*', 'action'),
      ],
      ['/_serverFn/getBoat', null, '/_serverFn/*'],
    )
  })

  it('are named by what is told apart best, whatever was stated first', () => {
    const routes = pages('/a/*', '/a/:id', '/a/b')
    for (const order of [routes, routes.toReversed()]) {
      const names = ['/a/b', '/a/c', '/a/c/d'].map((address) =>
        new KnownRoutes(order).nameOf(address, 'document'),
      )
      assert.deepEqual(names, ['/a/b', '/a/:id', '/a/*'])
    }
  })
})
