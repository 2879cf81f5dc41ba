import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNativeStart, isPackageFile, isRubyScript } from './in-app.ts'

const PACKAGES = [
  ['go', '/root/go/pkg/mod/github.com/gin-gonic/gin@v1.10.0/context.go'],
  ['go', 'C:\\Users\\ci\\go\\pkg\\mod\\github.com\\jackc\\pgx\\v5@v5.6.0\\conn.go'],
  ['native', '/root/.cargo/registry/src/index-1949cf8c6b5b557f/sentry-panic-0.49.5/src/lib.rs'],
  ['native', '/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/index.rs'],
  ['rust', '/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs'],
  ['php', '/var/www/vendor/guzzlehttp/guzzle/src/Client.php'],
  ['php', 'vendor/monolog/monolog/src/Monolog/Logger.php'],
  ['php', '/app/vendor/symfony/http-kernel/HttpKernel.php'],
  ['php', 'C:\\www\\vendor\\laravel\\framework\\resources\\views\\vendor\\mail\\header.php'],
  ['php', '/var/www/vendor/composer/ClassLoader.php'],
  ['ruby', '/app/vendor/bundle/ruby/3.3.0/gems/pg-1.5.6/lib/pg/connection.rb'],
  ['javascript', 'http://localhost:5173/node_modules/.vite/deps/react-dom_client.js?v=1a2b3c4d'],
] as const

const OWN = [
  ['go', '/srv/shop/pkg/models/order.go'],
  ['native', '/srv/rustc/src/main.rs'],
  ['native', '/srv/cargo/registry/main.rs'],
  ['php', '/var/www/src/vendor.php'],
  ['php', '/var/www/resources/views/vendor/mail/header.blade.php'],
  ['php', '/var/www/resources/views/vendor/mail/html/header.blade.php'],
  ['php', 'lang/vendor/courier/en/messages.php'],
  ['php', '/srv/www/app/vendor/dashboard/orders.php'],
  ['php', '/srv/www/app/vendor/Dashboard/Orders/List.php'],
  ['ruby', '/app/lib/gems/order.rb'],
  ['javascript', 'https://shop.example/node_modules_list.js'],
  // It leaves them out itself, but for what `in_app_include` names.
  ['python', '/venv/lib/python3.12/site-packages/shop_core/orders.py'],
  ['constructor', '/app/vendor/bundle/ruby/3.3.0/gems/pg-1.5.6/lib/pg.rb'],
] as const

describe('a file in the folder of other people’s packages', () => {
  for (const [platform, path] of PACKAGES)
    it(`is no app’s: ${path}`, () => {
      assert.equal(isPackageFile({ abs_path: path }, platform), true)
      assert.equal(isPackageFile({ filename: path }, platform), true)
    })
  for (const [platform, path] of OWN)
    it(`is not ${path} of ${platform}`, () =>
      assert.equal(isPackageFile({ abs_path: path }, platform), false))
  it('is not one that names no place', () => assert.equal(isPackageFile({ function: 'f' }, 'go'), false))
})

describe('a frame of a native stack', () => {
  for (const name of [
    '__libc_start_main_impl',
    '__libc_start_call_main',
    '_start',
    'clone3',
    'start_thread',
    '<unknown>',
    'at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panic.rs:359:14',
  ])
    it(`is no call: ${name}`, () => assert.equal(isNativeStart({ function: name }, 'native'), true))
  for (const name of ['main', 'clone', 'shop::clone3', 'start_threads', 'at the till'])
    it(`is a call: ${name}`, () => assert.equal(isNativeStart({ function: name }, 'native'), false))
  it('is a call in another language', () =>
    assert.equal(isNativeStart({ function: 'start_thread' }, 'python'), false))
})

describe('a file that Ruby’s SDK takes for a library’s', () => {
  for (const path of [
    '/srv/shop/server.rb',
    '/srv/shop/config.ru',
    'C:\\shop\\cart.rb',
    '/usr/src/app/server.rb',
    '/opt/app/script.rb',
  ])
    it(`is the app’s: ${path}`, () => assert.equal(isRubyScript({ abs_path: path }), true))
  for (const path of [
    '/srv/shop/vendor/plugins/tax/init.rb',
    '/usr/local/bundle/gems/rack-3.1.0/lib/rack.rb',
    '/home/anna/.rbenv/versions/3.4.1/lib/ruby/3.4.0/json.rb',
    '/usr/local/bin/rake.rb',
    '/usr/lib/rails/boot.rb',
    '/usr/share/foreman/app.rb',
    '/usr/local/share/foreman/app.rb',
    '/opt/ruby/lib/ruby/3.4.0/json.rb',
    '<internal:kernel>',
    'cart.rb',
    '/srv/shop/bin/puma',
  ])
    it(`is none: ${path}`, () => assert.equal(isRubyScript({ abs_path: path }), false))
  it('is none without a path', () => assert.equal(isRubyScript({ filename: 'cart.rb' }), false))
})
