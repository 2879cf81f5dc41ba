/** The stack is of whoever reports: what the error says decides beside it. */
import { describe, it } from 'node:test'
import { assertApart, assertTogether, event, frame, type Raw, thrown } from '#testing/one-failure.ts'

const WEB = frame('(*Srv).fail', '', { module: 'shop/web', abs_path: '/src/web.go' })
const go = (type: string, value: string, frames: readonly Raw[] = [WEB]) =>
  event('go', thrown(type, value, frames))
const unity = (type: string, value: string, fields: Raw = {}) =>
  event('csharp', thrown(type, value, [frame('Shop.Loop:Update ()', '')], fields))

describe('where the type says nothing and the stack is of whoever reports, the message decides too', () => {
  const TYPES = [
    '*errors.errorString',
    '*fmt.wrapError',
    '*fmt.wrapErrors',
    '*errors.joinError',
    '*errors.withMessage',
    '*errutil.leafError',
    '*multierror.Error',
    '*status.Error',
    '*url.Error',
    '*net.OpError',
    '*fs.PathError',
    '*pgconn.PgError',
    '*mysql.MySQLError',
    'syscall.Errno',
    '*echo.HTTPError',
    '',
  ]
  for (const type of TYPES) {
    it(`Go: ${type || 'no type, as zerolog sends'}`, () => {
      assertApart(
        go(type, 'sql: no rows in result set'),
        go(type, 'context canceled'),
        go(type, 'dial tcp: lookup db.shop.test: no such host'),
      )
      assertTogether(go(type, 'load order 17: no rows'), go(type, 'load order 23: no rows'))
    })
  }

  it('Go: an error type of the app, and a panic, are what they always were', () => {
    assertTogether(go('*shop.OutOfStock', 'no more shirts'), go('*shop.OutOfStock', 'no more hats'))
    assertTogether(go('runtime.boundsError', 'index out of range'), go('runtime.boundsError', 'slice bounds'))
  })

  it('Go: an error that carries where it was made goes by that, but not where a package made it', () => {
    assertTogether(go('*errors.fundamental', 'no user anna'), go('*errors.fundamental', 'no user bob'))
    const init = [frame('init', '', { module: 'shop/errs', abs_path: '/src/errs.go' })]
    assertApart(go('*errors.fundamental', 'not found', init), go('*errors.fundamental', 'forbidden', init))
  })

  it('Go: joined errors are told by their members, in any order', () => {
    const joined = (first: string, second: string) => {
      const member = (value: string, id: number) =>
        thrown('*errors.errorString', value, undefined, { mechanism: { exception_id: id, parent_id: 0 } })
      const root = thrown('*errors.joinError', `${first}\n${second}`, [WEB], {
        mechanism: { exception_id: 0, is_exception_group: true },
      })
      return event('go', [member(second, 2), member(first, 1), root])
    }
    assertTogether(joined('a failed', 'b failed'), joined('b failed', 'a failed'))
    assertApart(joined('a failed', 'b failed'), joined('c failed', 'b failed'))
  })

  it('Go: what a wrapper adds counts beside its cause', () => {
    const wrapped = (type: string, value: string) =>
      event('go', [
        thrown('context.deadlineExceededError', 'context deadline exceeded', undefined, {
          mechanism: { type: 'chained', exception_id: 1, parent_id: 0 },
        }),
        thrown(type, value, [WEB], { mechanism: { type: 'generic', exception_id: 0 } }),
      ])
    const request = (host: string) =>
      wrapped('*url.Error', `Get https://${host}/v1/orders: context deadline exceeded`)
    assertApart(request('stock.shop.test'), request('tax.shop.test'))
    assertApart(
      wrapped('*fmt.wrapError', 'load order: deadline'),
      wrapped('*fmt.wrapError', 'load cart: deadline'),
    )
  })

  it('Unity: the SDK makes up the type of a line of the log', () => {
    const mechanism = { type: 'unity.log', handled: false, synthetic: true, terminal: false }
    for (const fields of [{ mechanism }, {}]) {
      for (const type of ['LogException', 'LogError', 'LogAssertion']) {
        assertApart(
          unity(type, 'NullReferenceException: Object reference not set', fields),
          unity(type, 'IndexOutOfRangeException: Index was outside the bounds', fields),
        )
        assertTogether(
          unity(type, 'No item 17 in slot 3', fields),
          unity(type, 'No item 23 in slot 9', fields),
        )
      }
    }
    assertTogether(
      unity('System.InvalidOperationException', 'no more shirts'),
      unity('System.InvalidOperationException', 'no more hats'),
    )
  })

  it('an error that was never thrown has the stack of the thread that captures it', () => {
    const captured = (platform: string, value: string, thread: Raw) =>
      event(platform, thrown('Error', value), {
        threads: {
          values: [{ id: 1, stacktrace: { frames: [frame('report', 'src/report.x')] }, ...thread }],
        },
      })
    for (const platform of ['rust', 'csharp', 'java', 'cocoa', 'dart', 'python']) {
      assertApart(
        captured(platform, 'connection closed', { current: true, crashed: false }),
        captured(platform, 'permission denied', { current: true, crashed: false }),
      )
      assertTogether(
        captured(platform, 'no order 17', { current: true }),
        captured(platform, 'no order 23', { current: true }),
      )
      assertTogether(
        captured(platform, 'connection closed', { crashed: true }),
        captured(platform, 'permission denied', { crashed: true }),
      )
    }
  })
})

describe('what stands between the failure and its report does not count', () => {
  it('loggers, whatever the SDK says of their frames', () => {
    const LOGGERS: readonly (readonly [platform: string, frame: Raw])[] = [
      ['go', frame('(*Entry).Log', '', { abs_path: '/src/vendor/github.com/sirupsen/logrus/entry.go' })],
      ['go', frame('(*Logger).Error', '', { abs_path: 'go.uber.org/zap@v1.27.0/logger.go' })],
      ['go', frame('(*Logger).Error', '', { abs_path: '/usr/local/go/src/log/slog/logger.go' })],
      ['csharp', frame('UnityEngine.Debug:LogException (System.Exception)', '')],
      ['csharp', frame('Serilog.Core.Logger.Write', '')],
      ['python', frame('error', '/usr/lib/python3.12/logging/__init__.py')],
    ]
    const own = frame('pay', '/src/pay.x', { module: 'shop' })
    for (const [platform, logger] of LOGGERS) {
      assertTogether(
        event(platform, thrown('PayError', 'declined', [own, logger])),
        event(platform, thrown('PayError', 'declined', [own])),
      )
    }
  })

  it('what a panic of Rust says decides beside closures, which all have one name', () => {
    const own = frame('shop::main::{{closure}}', '/src/main.rs')
    const unwound = frame(
      '__rustc::rust_begin_unwind',
      `/rustc/${'5'.repeat(40)}/library/std/src/panicking.rs`,
    )
    const reported = frame(
      'sentry_panic::panic_handler',
      '/root/.cargo/registry/src/x/sentry-panic-0.49.5/src/lib.rs',
    )
    const panic = (value: string) => event('native', thrown('panic', value, [own, unwound, reported]))
    const outside = (index: number) => panic(`index out of bounds: the len is 0 but the index is ${index}`)
    assertTogether(outside(3), outside(4))
    assertApart(outside(3), panic('called `Option::unwrap()` on a `None` value'), panic('paying: PayErr(5)'))
  })

  it('a native program fails as one issue, whatever libc and compiler it was built with', () => {
    const own = [frame('shop::main', '/src/main.rs'), frame('shop::charge', '/src/charge.rs')]
    const built = (starts: readonly Raw[]) =>
      event('native', thrown('PayError', 'declined', [...starts, ...own]))
    const named = (name: string) => ({ function: name, in_app: true, instruction_addr: '0x7f73b6445305' })
    assertTogether(
      built([named('__libc_start_main_impl'), named('__libc_start_call_main')]),
      built([named('__libc_start_main@@GLIBC_2.34'), named('_start')]),
      built([named('<unknown>'), frame('clone', './misc/../sysdeps/unix/sysv/linux/x86_64/clone.S')]),
      built([named(`at /rustc/${'5'.repeat(40)}/library/std/src/panic.rs:359:14`)]),
      built([]),
    )
    assertApart(built([]), built([frame('shop::refund', '/src/refund.rs')]))
  })

  it('a message is a message, whatever stack came with it', () => {
    const sent = (message: string, name: string) =>
      event(
        'javascript',
        { value: message, stacktrace: { frames: [frame(name, 'src/log.js')] } },
        { message },
      )
    assertTogether(sent('cart 17 is empty', 'warn'), sent('cart 23 is empty', 'error'))
    assertApart(sent('cart is empty', 'warn'), sent('cart is full', 'warn'))
  })

  it('a type that is a sentence or a place is read as text', () => {
    const zap = (type: string) => go(type, 'web/handler.go:12')
    assertTogether(zap('could not load order 17'), zap('could not load order 23'))
    assertApart(zap('could not load order'), zap('could not charge card'))
    assertTogether(go('pay.go:12 (Pay)', 'declined'), go('pay.go:31 (Pay)', 'declined'))
  })
})

describe('a crash that tells no more than its minidump', () => {
  it('is an issue for each process and reason that Electron tells', () => {
    const ended = (process: string, reason: string): Raw => ({
      platform: 'native',
      level: 'fatal',
      tags: { 'event.process': process, 'exit.reason': reason },
    })
    assertApart(ended('renderer', 'crashed'), ended('renderer', 'oom'), ended('GPU', 'crashed'))
    assertTogether(ended('renderer', 'crashed'), ended('renderer', 'crashed'))
  })
})
