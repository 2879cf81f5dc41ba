import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Family, functionKey, moduleKey } from './functions.ts'

describe('the name of a function', () => {
  const TABLE: readonly (readonly [family: Family, key: string, ...names: string[]])[] = [
    [
      'javascript',
      'save',
      'save',
      'async save',
      'Object.save',
      'new Cart.save',
      'async*save',
      'save/<',
      'Cart.#save',
    ],
    ['javascript', 'onClick', 'Object.t [as onClick]', 'onClick'],
    ['javascript', 'all', 'async Promise.all'],
    [
      'javascript',
      '',
      '?',
      '<anonymous>',
      'Object.<anonymous>',
      'eval',
      't.<computed>',
      'Module.4567',
      './src/x.js',
    ],
    ['python', 'load', 'load'],
    ['python', '', '<module>', '<lambda>', '<listcomp>'],
    [
      'ruby',
      'show',
      'show',
      'OrdersController#show',
      'block in show',
      'block (2 levels) in OrdersController#show',
      'rescue in show',
    ],
    ['ruby', '', 'block', '<main>', '<top (required)>', '<class:Order>'],
    ['php', 'App\\Order::show', 'App\\Order::show'],
    [
      'php',
      '{closure:App\\Order::show()}',
      '{closure:App\\Order::show():42}',
      '{closure:App\\Order::show():57}',
    ],
    ['java', '', 'lambda$show$0', 'lambda$show$7'],
    ['java', 'access$', 'access$000', 'access$100'],
    ['go', 'handle.func', 'handle.func1', 'handle.func2.1'],
    ['csharp', 'GetAsync.MoveNext', '<GetAsync>d__5.MoveNext', '<GetAsync>d__7.MoveNext'],
    ['csharp', 'Run', 'Run (int count)'],
    ['native', 'shop::order::total', 'shop::order::total::h0123456789abcdef', 'shop::order::total'],
    [
      'native',
      'shop::List::push',
      'void shop::List<int>::push(int const&)',
      'shop::List<shop::Order<int>>::push(int) [clone .isra.0]',
    ],
  ]
  for (const [family, key, ...names] of TABLE) {
    for (const name of names) {
      it(`${family}: ${name} is ${key || 'none'}`, () => assert.equal(functionKey(name, family), key))
    }
  }
})

describe('the module of a frame', () => {
  it('loses what is generated at run time', () => {
    for (const name of [
      'com.shop.Order$$EnhancerBySpringCGLIB$$1a2b3c',
      'com.shop.Order$$FastClassBySpringCGLIB$$9',
      'com.shop.Order',
    ]) {
      assert.equal(moduleKey(name, 'java'), 'com.shop.Order')
    }
    assert.equal(moduleKey('com.shop.Order$$Lambda$14/0x0000', 'java'), '')
    assert.equal(moduleKey('__main__', 'python'), '')
    assert.equal(moduleKey('github.com/shop/orders@v1.2.3', 'go'), 'github.com/shop/orders')
  })
})
