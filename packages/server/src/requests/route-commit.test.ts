import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReleasedCommit } from '#ports/releases.ts'
import { commitOfRoute } from './route-commit.ts'

describe('the commit of a route', () => {
  const aCommit = (id: string, ...paths: readonly string[]): ReleasedCommit => ({
    ...{ id, release: 'web@1.0.0', repository: null, message: null, authorName: null, authorEmail: null },
    ...{ atMs: null, member: null, files: paths.map((path) => ({ path, type: 'M' })) },
  })

  for (const [route, path] of [
    ['/orders/[id]', 'app/orders/[id]/page.tsx'],
    ['/orders/[id]', 'src/app/(shop)/orders/[orderId]/summary.tsx'],
    ['/orders/:id', 'app/routes/orders.$id.tsx'],
    ['/checkout', 'pages/checkout.tsx'],
    ['GET /api/pay', 'app/api/pay/route.ts'],
    ['/', 'app/page.tsx'],
    ['/', 'app/routes/_index.tsx'],
    ['/blog/[...all]', 'pages/blog/[...all].js'],
    ['/orders/[id]', 'src/routes/orders/[id]/+page.svelte'],
  ] as const)
    it(`is told by ${path} for ${route}`, () => {
      assert.deepEqual(commitOfRoute(route, [aCommit('a', 'README.md', path)])?.path, path)
    })

  for (const [route, path] of [
    ['/orders', 'app/orders/[id]/page.tsx'],
    ['/orders', 'src/orders/list.ts'],
    ['/', 'app/checkout/page.tsx'],
    ['/checkout', 'app/checkout/page.test.tsx'],
    ['/checkout', 'app/checkout/styles.css'],
    ['/cart', 'app/checkout/page.tsx'],
  ] as const)
    it(`is not told by ${path} for ${route}`, () => {
      assert.equal(commitOfRoute(route, [aCommit('a', path)]), null)
    })

  it('is the newest of several', () => {
    const commits = [aCommit('b', 'app/cart/page.tsx'), aCommit('a', 'app/cart/page.tsx')]
    assert.equal(commitOfRoute('/cart', commits)?.commit.id, 'b')
  })
})
