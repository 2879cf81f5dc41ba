import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { functionKey, moduleKey } from './functions.ts'
import type { Family } from './rules/families.ts'

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
      'promise callback*save',
      'submit/save',
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
      'save/<',
      'global code',
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
    ['java', 'lambda$show', 'lambda$show$0', 'lambda$show$7', 'lambda$show$1a2b3c4d$1'],
    ['java', '', 'lambda$null$0', 'lambda$3'],
    ['java', 'access$', 'access$000', 'access$100'],
    [
      'java',
      'com.shop.Order$$Lambda.apply',
      'com.shop.Order$$Lambda$123/0x0000000800c03000.apply',
      'com.shop.Order$$Lambda/0x00007f1234567890.apply',
    ],
    ['java', '$Proxy.save', 'com.sun.proxy.$Proxy12.save', 'jdk.proxy3.$Proxy9.save'],
    ['java', 'save', 'save'],
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
    for (const name of [
      'com.shop.Order$$Lambda$14/0x0000',
      'com.shop.Order$$Lambda$123/0x0000000800c03000',
      'com.shop.Order$$Lambda/0x00007f1234567890',
      'com.shop.-$$Lambda$Order$5a1Bc',
    ]) {
      assert.equal(moduleKey(name, 'java'), '')
    }
    const TABLE: readonly (readonly [key: string, ...names: string[]])[] = [
      ['$Proxy', 'com.sun.proxy.$Proxy12', 'com.sun.proxy.$Proxy7', 'jdk.proxy2.$Proxy45', '$Proxy3'],
      ['com.shop.$Proxy', 'com.shop.$Proxy1', 'com.shop.$Proxy20'],
      [
        'jdk.internal.reflect.GeneratedAccessor',
        'jdk.internal.reflect.GeneratedMethodAccessor45',
        'jdk.internal.reflect.GeneratedMethodAccessor7',
        'jdk.internal.reflect.GeneratedSerializationConstructorAccessor1',
      ],
      [
        'com.shop.Order',
        'com.shop.Order$$EnhancerBySpringCGLIB$$abc123',
        'com.shop.Order$$SpringCGLIB$$0',
        'com.shop.Order$$KeyFactoryByCGLIB$$1a2b',
        'com.shop.Order$HibernateProxy$Ab12',
        'com.shop.Order$1',
      ],
      [
        'java.lang.invoke.LambdaForm$MH',
        'java.lang.invoke.LambdaForm$MH/0x0000000800b2c400',
        'java.lang.invoke.LambdaForm$MH.0x0000000800b2c401',
      ],
      [
        'com.shop.Order$$ExternalSyntheticLambda',
        'com.shop.Order$$ExternalSyntheticLambda3',
        'com.shop.Order$$ExternalSyntheticLambda12',
      ],
      ['com.shop.Order$auxiliary', 'com.shop.Order$auxiliary$Ab12Cd34'],
      // Numbers and words that people gave.
      ['com.shop.Proxy12', 'com.shop.Proxy12'],
      ['com.shop.Order2', 'com.shop.Order2'],
      ['com.shop.Order$Inner', 'com.shop.Order$Inner'],
      ['com.shop.LambdaHandler', 'com.shop.LambdaHandler'],
    ]
    for (const [key, ...names] of TABLE)
      for (const name of names) assert.equal(moduleKey(name, 'java'), key, name)
    assert.equal(moduleKey('__main__', 'python'), '')
    assert.equal(moduleKey('github.com/shop/orders@v1.2.3', 'go'), 'github.com/shop/orders')
  })
})
