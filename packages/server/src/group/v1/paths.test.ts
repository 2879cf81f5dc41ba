import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMs } from '#testing/cpu-time.ts'
import { fileKey, isPageAddress } from './paths.ts'

describe('the file of a frame', () => {
  const SAME_FILE: readonly (readonly [key: string, ...paths: string[]])[] = [
    [
      'x.js',
      '/srv/a/releases/20261121093000/app/x.js',
      '/home/u/app/x.js',
      'C:\\inetpub\\shop\\x.js',
      '/app/x.js',
      'app:///x.js',
      'file:///opt/shop/x.js',
      'webpack-internal:///./src/x.js',
      'webpack-internal:///(rsc)/./src/x.js?a1b2',
      'https://cdn.shop.example/js/x.js?v=7#top',
      './x.js',
      'X.js',
    ],
    ['main.js', '/static/main.3f2a9c1b.js', '/static/main.77aa0012.js', 'main-XYZ12ABC.js', 'main.js'],
    ['main.chunk.js', 'main.3f2a9c1b.chunk.js', 'main.12ab34cd.chunk.js'],
    [
      '<hash>.js',
      '/_next/static/chunks/123-abc0123456789def.js',
      '/x/4bd1b696-100b9d70ed4e49c1.js',
      '/x/123.3f2a9c1b.js',
    ],
    [
      '<hash>.js',
      'app:///_next/static/chunks/063f2a9c1b7d8e45.js',
      'app:///_next/static/chunks/3zidnqse2xulc.js',
    ],
    [
      '<hash>.js',
      '/a/_nuxt/DhK3x9_a.js',
      '/a/_app/immutable/chunks/BfG4_q2x.js',
      '/_nuxt/Boleu8YX.js',
      '/_app/immutable/chunks/OrderRow.js',
      '/srv/.next/server/chunks/682.js',
    ],
    [
      '[root-of-the-server].js',
      'app:///_next/server/chunks/ssr/[root-of-the-server]__ab12cd._.js',
      'app:///_next/server/chunks/[root-of-the-server]__11jb70gfk7dc6._.js',
      'app:///_next/server/chunks/[root-of-the-server]__0-m4zhmowq_2u._.js',
      'app:///_next/server/chunks/[root-of-the-server]__0zvw0v_._.js',
      '/app/.next/server/chunks/%5Broot-of-the-server%5D__8978dbac._.js',
    ],
    [
      '<hash>.js',
      'app:///_next/server/chunks/ssr/_0pun_xa7luig2._.js',
      '/x/chunks/ssr/_0bx.71d._.js',
      '/x/_1a2b3c4d._.js',
    ],
    ['checkout-summary.js', '/_next/server/chunks/0f3c1a_checkout-summary.js', 'a9d2e1_checkout-summary.js'],
    [
      'app_cart_page_jsx.js',
      '/.next/server/chunks/ssr/app_cart_page_jsx_1442jfrxvv1gy._.js',
      '/.next/server/chunks/ssr/app_cart_page_jsx_1a2b3c4d._.js',
    ],
    [
      'next_dist_esm_build_templates_app-page.js',
      '/x/029y_next_dist_esm_build_templates_app-page_113gxwj.js',
      '/x/029y_next_dist_esm_build_templates_app-page_0hjrc.4.js',
    ],
    [
      'index.js',
      '/assets/index-DhK3x9_a.js',
      '/assets/index-D-k3x_9a.js',
      '/assets/index-BfGXqRtz.js',
      '/assets/index-BIIUxka6.js',
      'https://shop.example/2/assets/index-8VoYyngs.js',
      '/assets/index-Boleu8YX.js',
      '/js/index-OL2emdNU.js',
      '/js/index-FE1ChuWa.js',
      '/assets/index.js',
    ],
    ['chunk.js', '/chunk-2ISKQFJ2.js', '/chunk-5CFQRCPP.js'],
    ['orders._id.js', '/assets/orders._id-DhK3x9_a.js', '/assets/orders._id-Ck9LmP2_.js'],
    ['application.js', `/assets/application-${'0a1b2c3d'.repeat(8)}.js`],
    [
      'orders/[id]/page.js',
      'app:///_next/static/chunks/app/orders/[id]/page-1a2b3c4d5e6f7a8b.js',
      'https://shop.example/_next/static/chunks/app/orders/%5Bid%5D/page-99887766aabbccdd.js',
      '/srv/shop/.next/server/app/orders/[id]/page.js',
      'app:///_next/server/app/orders/[id]/page.js',
    ],
    [
      'cart/page.tsx',
      '/home/u/shop/src/app/cart/page.tsx',
      'webpack-internal:///(rsc)/./app/cart/page.tsx',
      '/app/app/cart/page.tsx',
    ],
    [
      '_buildmanifest.js',
      '/_next/static/bLd1dXyZ/_buildManifest.js',
      '/_next/static/Qq9zz01/_buildManifest.js',
    ],
  ]
  for (const [key, ...paths] of SAME_FILE) {
    for (const path of paths) it(`of ${path} is ${key}`, () => assert.equal(fileKey(path, true), key))
  }

  const KEPT = [
    'order-overview.js',
    'user-settings.js',
    'step-2-detail.js',
    'checkout-Checkout.js',
    'table-OrderRow.js',
    'list-MyOrders.js',
    'menu-TopBar12.js',
    'table-version2.js',
    'part_1_order.js',
    'order.service.ts',
    'jquery-3.6.0.min.js',
    '[...slug].js',
    'useorder.ts',
    'i18n_config.js',
    'base64-url.js',
    'datagrid.tsx',
  ]
  for (const name of KEPT) {
    it(`keeps the name ${name}`, () => assert.equal(fileKey(`/srv/app/${name}`, true), name.toLowerCase()))
  }

  it('is none for what is no file', () => {
    for (const path of [
      '',
      '<anonymous>',
      '[native code]',
      'blob:https://x/1-2',
      'data:text/javascript,1',
      'VM123',
    ]) {
      assert.equal(fileKey(path, true), '', path)
    }
    assert.equal(fileKey('https://shop.example/orders/17', true), '', 'an inline script')
  })

  it('of other languages loses the folder and keeps the name', () => {
    assert.equal(fileKey('/srv/shop/0001_initial.py', false), '0001_initial.py')
    assert.equal(fileKey('C:\\shop\\Orders.cs', false), 'orders.cs')
    assert.equal(fileKey(`/srv/storage/framework/views/${'ab01'.repeat(10)}.php`, false), '<hash>.php')
  })

  it('stays linear on hostile paths', () => {
    for (const path of [
      `/${'a-'.repeat(5_000)}`,
      `${'_'.repeat(9_000)}.js`,
      `/${'%'.repeat(9_000)}`,
      '-0'.repeat(4_000),
    ]) {
      const start = cpuMs()
      fileKey(path, true)
      assert.ok(cpuMs() - start < 1_000)
    }
  })
})

describe('the address of a page', () => {
  for (const path of [
    'https://shop.example/orders/17',
    'https://shop.example/',
    'https://shop.example',
    'https://shop.example/json/libretto',
    'https://shop.example/v3/orders',
    'https://shop.example/about.html',
    'https://shop.example/js/index.php',
  ])
    it(`is ${path}`, () => assert.equal(isPageAddress(path), true))
  for (const path of [
    'https://js.stripe.com/v3',
    'https://api.example/v3.14.1',
    'https://www.googletagmanager.com/gtag/js?id=G-1',
    'https://cdn.example/js/tracker',
    'https://cdn.example/lib/v3',
    'https://cdn.example/lib/tracker',
    'https://cdn.example/npm/vue',
    'https://unpkg.com/react@18',
    'https://shop.example/app.js',
    'app:///orders/17',
  ])
    it(`is not ${path}`, () => assert.equal(isPageAddress(path), false))
  it('is of the host of the page that is known', () => {
    const address = 'https://pay.example/checkout'
    assert.equal(isPageAddress(address, 'https://PAY.example/other?x=1'), true)
    assert.equal(isPageAddress(address, 'https://shop.example/checkout'), false)
    assert.equal(isPageAddress(address, '/checkout'), true, 'no host is known')
    assert.equal(isPageAddress('https://pay.example/a.html', 'https://shop.example/'), true)
  })
})
