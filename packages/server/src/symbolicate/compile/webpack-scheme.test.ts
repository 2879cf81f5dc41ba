import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sourceName } from '../paths.ts'
import { withWebpackScheme } from './webpack-scheme.ts'

const namesOf = (...sources: (string | null)[]) =>
  withWebpackScheme(sources).map((source) => (source === null ? null : sourceName(source)))

describe('sources of webpack that lost their scheme', () => {
  it('are those of the build that the map is of', () => {
    assert.deepEqual(namesOf('shop/./src/cart.ts', 'shop/src/page.tsx', 'shop/webpack/bootstrap', null), [
      ...['src/cart.ts', 'src/page.tsx', 'webpack/bootstrap', null],
    ])
  })

  it('are known by modules of webpack alone', () => {
    assert.deepEqual(namesOf('shop/external commonjs "fs"', 'shop/app/route.ts'), [
      ...['external commonjs "fs"', 'app/route.ts'],
    ])
    assert.deepEqual(namesOf('shop/webpack/runtime/get default export', 'shop/src/a.ts')[1], 'src/a.ts')
  })

  it('have a build named as a package may be', () => {
    assert.deepEqual(namesOf('@acme/shop/./src/cart.ts', '@acme/shop/src/page.tsx'), [
      ...['src/cart.ts', 'src/page.tsx'],
    ])
  })

  it('are left alone where nothing says that they are of webpack', () => {
    const sources = ['src/cart.ts', 'webpack://shop/./src/page.tsx', '../../src/order.ts', './main.ts']
    assert.deepEqual(withWebpackScheme(sources), sources)
    assert.deepEqual(withWebpackScheme(['src/webpack/config.ts', 'src/a.ts']), [
      'src/webpack/config.ts',
      'src/a.ts',
    ])
  })
})
