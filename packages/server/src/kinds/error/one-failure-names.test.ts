/** Instances of many libraries, languages and engines: one failure is one issue, two failures are two. */
import { describe, it } from 'node:test'
import { assertApart, assertTogether, event, frame, type Raw, thrown } from '#testing/one-failure.ts'

const APP = 'https://shop.test/static/js/checkout.js'

describe('names that compilers number are one name', () => {
  const NAMES: readonly (readonly [name: string, platform: string, one: Raw, other: Raw])[] = [
    ['Rollup', 'javascript', frame('save$1', APP), frame('save$3', APP)],
    ['regenerator', 'javascript', frame('save$', APP), frame('save', APP)],
    [
      'PHP 8.4, closure of a file',
      'php',
      frame('{closure:/var/www/r1/routes/web.php:12}', '/var/www/r1/routes/web.php'),
      frame('{closure:/var/www/r2/routes/web.php:15}', '/var/www/r2/routes/web.php'),
    ],
    [
      'PHP 8.4, nested closure',
      'php',
      frame('A\\S::{closure:{closure:A\\S::load():12}:13}', '/srv/S.php'),
      frame('A\\S::{closure:{closure:A\\S::load():15}:16}', '/srv/S.php'),
    ],
    [
      'Twig',
      'php',
      frame('__TwigTemplate_9b1c2d3e4f506172aa::block_body', '/srv/cache/twig/9b/9b1c2d3e4f506172aa.php'),
      frame('__TwigTemplate_1a2b3c4d5e6f708192::block_body', '/srv/cache/twig/1a/1a2b3c4d5e6f708192.php'),
    ],
    [
      'jbuilder',
      'ruby',
      frame(
        '_app_views_orders_show_json_jbuilder___1111111111111111_222222',
        'app/views/orders/show.json.jbuilder',
      ),
      frame('_app_views_orders_show_json_jbuilder__3333333333_444444', 'app/views/orders/show.json.jbuilder'),
    ],
    [
      'ViewComponent in a block',
      'ruby',
      frame('block in _app_components_cart_html_slim__123456_789', 'app/components/cart.html.slim'),
      frame('block in _app_components_cart_html_slim___999_111', 'app/components/cart.html.slim'),
    ],
    [
      'C# lambda',
      'csharp',
      frame('<Run>b__3_0', 'S.cs', { module: 'Shop.Svc+<>c__DisplayClass3_0' }),
      frame('<Run>b__0', 'S.cs', { module: 'Shop.Svc+<>c__DisplayClass7_1' }),
    ],
    [
      'C# iterator',
      'csharp',
      frame('MoveNext', 'S.cs', { module: 'Shop.Svc+<Lines>d__12`1' }),
      frame('MoveNext', 'S.cs', { module: 'Shop.Svc+<Lines>d__4`1' }),
    ],
    [
      'Castle',
      'csharp',
      frame('Pay', '', { module: 'Castle.Proxies.ICartProxy_1' }),
      frame('Pay', '', { module: 'Castle.Proxies.ICartProxy_12' }),
    ],
    [
      'F#',
      'csharp',
      frame('Invoke', 'S.fs', { module: 'Shop+pay@12-3' }),
      frame('Invoke', 'S.fs', { module: 'Shop+pay@19' }),
    ],
    [
      'Kotlin',
      'java',
      frame('invokeSuspend', 'Cart.kt', { module: 'shop.Cart$pay$1$2' }),
      frame('invokeSuspend', 'Cart.kt', { module: 'shop.Cart$pay$3$1' }),
    ],
    [
      'Kotlin lambda',
      'java',
      frame('pay$lambda$3', 'Cart.kt', { module: 'shop.Cart' }),
      frame('pay$lambda-1', 'Cart.kt', { module: 'shop.Cart' }),
    ],
    [
      'Mockito',
      'java',
      frame('pay', '', { module: 'shop.Cart$MockitoMock$123456' }),
      frame('pay', '', { module: 'shop.Cart$MockitoMock$99' }),
    ],
    [
      'Scala',
      'scala',
      frame('$anonfun$pay$1', 'Cart.scala', { module: 'shop.Cart' }),
      frame('$anonfun$pay$12', 'Cart.scala', { module: 'shop.Cart' }),
    ],
    [
      'Groovy',
      'groovy',
      frame('doCall', 'Job.groovy', { module: 'shop.Job$_run_closure1$_closure3' }),
      frame('doCall', 'Job.groovy', { module: 'shop.Job$_run_closure2$_closure5' }),
    ],
    [
      'Clojure',
      'clojure',
      frame('invoke', 'core.clj', { module: 'shop.core$pay$fn__1234' }),
      frame('invoke', 'core.clj', { module: 'shop.core$pay$fn__5678' }),
    ],
    [
      'Go closure',
      'go',
      frame('Handle.func1.2', '', { module: 'shop/web', abs_path: '/src/web.go' }),
      frame('Handle.func3', '', { module: 'shop/web', abs_path: '/src/web.go' }),
    ],
    [
      'Go generics',
      'go',
      frame('Map[go.shape.int]', '', { module: 'shop/web', abs_path: '/src/web.go' }),
      frame('Map[...]', '', { module: 'shop/web', abs_path: '/src/web.go' }),
    ],
    [
      'Rust closure',
      'native',
      frame('shop::pay::{closure#0}::h0123456789abcdef', ''),
      frame('shop::pay::{closure#2}', ''),
    ],
    [
      'Rust, both manglings',
      'native',
      frame('shop::pay::{{closure}}', ''),
      frame('shop[3f2a9c1b7d8e45aa]::pay::{closure#1}', ''),
    ],
    [
      'C++ lambda',
      'native',
      frame('shop::pay()::$_0::operator()() const', ''),
      frame('shop::pay()::$_4::operator()() const', ''),
    ],
    [
      'MSVC lambda',
      'native',
      frame('shop::<lambda_3f2a9c1b>::operator()', ''),
      frame('shop::<lambda_9b1c2d3e>::operator()', ''),
    ],
    ['Swift closure', 'cocoa', frame('closure #1 in Cart.pay()', ''), frame('closure #3 in Cart.pay()', '')],
    [
      'Objective-C block',
      'cocoa',
      frame('__20-[Cart pay]_block_invoke', ''),
      frame('__20-[Cart pay]_block_invoke_2', ''),
    ],
    [
      'GCC',
      'native',
      frame('shop::pay(int) [clone .part.0]', ''),
      frame('shop::pay(int) [clone .isra.3]', ''),
    ],
    [
      'Erlang',
      'elixir',
      frame('-pay/1-fun-0-', 'lib/cart.ex', { module: 'Shop.Cart' }),
      frame('-pay/1-fun-3-', 'lib/cart.ex', { module: 'Shop.Cart' }),
    ],
    [
      'Perl',
      'perl',
      frame('Shop::__ANON__[/srv/r1/Cart.pm:12]', 'Cart.pm'),
      frame('Shop::__ANON__[/srv/r2/Cart.pm:19]', 'Cart.pm'),
    ],
    ['Lua', 'lua', frame('function <cart.lua:12>', 'cart.lua'), frame('function <cart.lua:19>', 'cart.lua')],
    [
      'Dart',
      'other',
      frame('_CartState.pay.<fn>', 'cart.dart', { platform: 'dart' }),
      frame('_CartState.pay.<fn>.<fn>', 'cart.dart', { platform: 'dart' }),
    ],
    [
      'notebooks',
      'python',
      frame('pay', '/tmp/ipykernel_123/2857.py'),
      frame('pay', '/tmp/ipykernel_99/11.py'),
    ],
    [
      'WebAssembly',
      'javascript',
      frame('wasm-function[173]', 'https://shop.test/app.wasm'),
      frame('wasm-function[199]', 'https://shop.test/app.wasm'),
    ],
  ]
  for (const [name, platform, one, other] of NAMES) {
    it(name, () => {
      assertTogether(
        event(platform, thrown('Boom', 'boom', [one])),
        event(platform, thrown('Boom', 'boom', [other])),
      )
    })
  }

  it('and two names of the program stay two', () => {
    const pairs: readonly (readonly [platform: string, one: Raw, other: Raw])[] = [
      [
        'csharp',
        frame('<Run>g__Load|0_1', '', { module: 'Shop.P' }),
        frame('<Run>g__Save|0_1', '', { module: 'Shop.P' }),
      ],
      ['native', frame('<shop::Cart as shop::Pay>::pay', ''), frame('<shop::Card as shop::Pay>::pay', '')],
      ['java', frame('pay2', 'C.java', { module: 'shop.C' }), frame('pay3', 'C.java', { module: 'shop.C' })],
      ['go', frame('Load', '', { module: 'shop/web' }), frame('Save', '', { module: 'shop/web' })],
      [
        'php',
        frame('A\\S::{closure:A\\S::load():12}', '/S.php'),
        frame('A\\S::{closure:A\\S::save():12}', '/S.php'),
      ],
      [
        'elixir',
        frame('-pay/1-fun-0-', '', { module: 'Shop.C' }),
        frame('-load/1-fun-0-', '', { module: 'Shop.C' }),
      ],
      ['other', frame('_Cart.pay.<fn>', 'c.dart'), frame('_Cart.load.<fn>', 'c.dart')],
      ['javascript', frame('step1', APP), frame('step2', APP)],
      [
        'csharp',
        frame('Load', '', {
          module: 'Repo`1[[Shop.Order, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]',
        }),
        frame('Load', '', {
          module: 'Repo`1[[Shop.User, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null]]',
        }),
      ],
    ]
    for (const [platform, one, other] of pairs)
      assertApart(
        event(platform, thrown('Boom', 'boom', [one])),
        event(platform, thrown('Boom', 'boom', [other])),
      )
  })

  it('types that dart2js names again in every build', () => {
    const made = (type: string, value: string) =>
      event('javascript', thrown(type, value, [frame('aJ', 'https://shop.test/main.dart.js')]))
    assertTogether(made('minified:kP', 'no stock'), made('minified:a1', 'no stock'))
    assertTogether(
      made('StateError', "Instance of 'minified:hS'"),
      made('StateError', "Instance of 'minified:b2'"),
    )
    assertApart(made('minified:kP', 'no stock'), made('minified:kP', 'no price'))
    const named = (name: string) =>
      event('javascript', thrown('StateError', 'no stock', [frame(name, 'https://shop.test/main.dart.js')]))
    assertTogether(named('aJ'), named('cew'))
  })

  it('crashes without symbols part by their place in the image', () => {
    const meta = {
      images: [
        {
          type: 'macho',
          code_file: '/Applications/Shop.app/Shop',
          debug_id: '3f2a9c1b-7d8e-45aa-3f2a-9c1b7d8e45aa',
          image_addr: '0x100000000',
          image_size: 1_000_000,
        },
      ],
    }
    const crash = (addresses: readonly string[], base = '0x100000000') =>
      event(
        'cocoa',
        thrown(
          'EXC_BAD_ACCESS',
          'KERN_INVALID_ADDRESS',
          addresses.map((address) => ({ instruction_addr: address, in_app: true })),
        ),
        {
          debug_meta: { images: meta.images.map((image) => ({ ...image, image_addr: base })) },
        },
      )
    assertApart(crash(['0x100001111', '0x100002222']), crash(['0x100007777', '0x100008888']))
    assertTogether(
      crash(['0x100001111', '0x100002222']),
      crash(['0x200001111', '0x200002222'], '0x200000000'),
    )
  })
})
