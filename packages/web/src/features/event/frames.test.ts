import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { FrameRepeat, StackFrame } from '#parts/stack-frame.ts'
import { libraryOf, stackRows, withoutSource } from './frames.ts'

const app = (filename: string): StackFrame => ({ filename, in_app: true, context_line: 'throw 1', lineno: 3 })
const library = (filename: string): StackFrame => ({ filename, in_app: false })

describe('rows of a stack', () => {
  test('the newest call comes first, runs of library frames are one counted row', () => {
    const rows = stackRows(
      [
        library('node:internal/process'),
        library('node_modules/next/dist/server.js'),
        app('app/page.tsx'),
        library('node_modules/react-dom/a.js'),
        library('node_modules/react-dom/b.js'),
        app('app/totals.tsx'),
      ],
      'app',
    )
    assert.deepEqual(
      rows.map((row) => (row.kind === 'frame' ? row.placed.frame.filename : row.frames.length)),
      ['app/totals.tsx', 2, 'app/page.tsx', 2],
    )
    const run = rows[1]
    assert.deepEqual(run?.kind === 'run' ? run.libraries : [], ['react-dom'])
  })

  test('without a frame of the app the newest stands open for it', () => {
    const rows = stackRows([library('a.js'), library('b.js'), library('c.js')], 'app')
    assert.equal(rows.length, 2)
    const [first] = rows
    assert.ok(first?.kind === 'frame' && first.isOpen && first.placed.frame.filename === 'c.js')
  })

  test('beside an exception with frames of the app the newest of a library is closed, and others are as ever', () => {
    const openOf = (frames: readonly StackFrame[], isBesideApp: boolean) =>
      stackRows(frames, 'app', { isBesideApp }).map((row) => row.kind === 'frame' && row.isOpen)
    const libraries = [library('a.js'), library('b.js')]
    assert.deepEqual(openOf(libraries, true), [false, false])
    assert.deepEqual(openOf(libraries, false), [true, false])
    assert.deepEqual(openOf([library('a.js'), app('b.js')], true), [true, false])
  })

  test('all frames are rows of their own when asked for', () => {
    const rows = stackRows([library('a.js'), app('b.js')], 'all')
    assert.ok(rows.every((row) => row.kind === 'frame'))
  })

  test('calls that repeat are one counted row below the newest round, whoever counted them', () => {
    const call = (name: string): StackFrame => ({ ...app('rec.py'), function: name })
    const told = (frames: readonly StackFrame[], stored: readonly FrameRepeat[] = []) =>
      stackRows(frames, 'app', { stored }).map((row) =>
        row.kind === 'frame'
          ? row.placed.frame.function
          : row.kind === 'run'
            ? 'run'
            : `× ${row.times} of ${row.size}`,
      )
    const rounds = [
      call('main'),
      ...Array.from({ length: 4 }, () => [call('even'), call('odd')]).flat(),
      call('last'),
    ]
    assert.deepEqual(told(rounds), ['last', 'odd', 'even', '× 4 of 2', 'main'])
    const stored = [call('main'), call('rec'), call('rec')]
    assert.deepEqual(told(stored, [{ at: 1, size: 1, times: 998 }]), ['rec', '× 998 of 1', 'main'])
    assert.deepEqual(told([call('main'), call('rec'), call('rec')]), ['rec', 'rec', 'main'])
  })

  test('every frame is in exactly one row, whatever the stack', () => {
    const frame = fc.record({ in_app: fc.boolean() }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 60 }), fc.constantFrom('app', 'all'), (frames, shown) => {
        const places = stackRows(frames, shown).flatMap((row) =>
          row.kind === 'frame' ? [row.placed.index] : row.frames.map(({ index }) => index),
        )
        assert.deepEqual(
          places,
          frames.map((_, index) => frames.length - 1 - index),
        )
      }),
    )
  })
})

describe('a frame in words', () => {
  test('the library is named as people know it', () => {
    const cases: readonly (readonly [path: string, name: string | null])[] = [
      ['/srv/node_modules/next/dist/server/render.js', 'next'],
      ['/srv/node_modules/@sentry/core/build/index.js', '@sentry/core'],
      ['/srv/node_modules/.pnpm/react-dom@19.0.0/node_modules/react-dom/index.js', 'react-dom'],
      ['C:\\srv\\node_modules\\express\\lib\\router.js', 'express'],
      ['node:internal/process/task_queues', 'node:internal'],
      ['app:///_next/server/chunks/ssr/node_modules_next_dist_0-amwqbrge23p._.js', 'next'],
      ['https://shop.example/_next/static/chunks/node_modules_@sentry_core_build_1f._.js', '@sentry/core'],
      ['https://shop.example/assets/vendor-D2f9x1Ab.js', 'vendor chunk'],
      ['/usr/lib/python3/site-packages/django/core/handlers.py', 'django'],
      ['/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go', 'github.com/gin-gonic/gin'],
    ]
    for (const [abs_path, name] of cases) assert.equal(libraryOf({ abs_path, filename: abs_path }), name)
    assert.equal(libraryOf({}), null)
  })

  test('a frame without source says why', () => {
    assert.match(withoutSource({ filename: 'node:internal/timers' }, 'node'), /runtime/)
    assert.match(withoutSource({ abs_path: 'https://shop.example/app.js' }, 'javascript'), /Browsers send/)
    assert.match(withoutSource({ abs_path: '/srv/dist/server.js' }, 'node'), /Source maps make it readable/)
    assert.match(withoutSource({ instruction_addr: '0x1' }, 'native'), /Compiled/)
  })
})
