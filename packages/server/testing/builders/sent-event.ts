import { NOW } from './times.ts'

let sent = 0

/** An exception as a Node SDK sends it. */
export function anError(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  sent += 1
  return {
    event_id: sent.toString(16).padStart(32, 'a'),
    timestamp: NOW / 1000 - 60,
    platform: 'node',
    level: 'error',
    environment: 'production',
    release: 'shop@1.0.0',
    server_name: 'web-1',
    transaction: 'GET /cart',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'total is not a function',
          mechanism: { type: 'generic', handled: false },
          stacktrace: {
            frames: [
              { filename: 'node:internal/process', function: 'run', lineno: 5, in_app: false },
              {
                filename: 'app/cart.ts',
                abs_path: '/srv/app/cart.ts',
                function: 'totalOf',
                module: 'cart',
                lineno: 12,
                colno: 7,
                in_app: true,
                pre_context: ['const a = 1', 'const b = 2'],
                context_line: 'return cart.total()',
                post_context: ['}'],
                vars: { cart: '[Object]' },
              },
            ],
          },
        },
      ],
    },
    tags: { plan: 'gold' },
    user: { id: '7', email: 'pat@example.com' },
    request: { url: 'https://shop.test/cart?x=1', method: 'GET', headers: { Host: 'shop.test' } },
    breadcrumbs: [{ timestamp: NOW / 1000 - 61, category: 'ui.click', message: 'buy' }],
    contexts: { runtime: { name: 'node', version: 'v24.21.0' } },
    extra: { cartSize: 3 },
    modules: { left: '1.0.0' },
    sdk: { name: 'sentry.javascript.node', version: '11.12.0' },
    ...change,
  }
}
