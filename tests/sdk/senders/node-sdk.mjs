// An app with an unmodified SDK: `node node-sdk.mjs PACKAGE DSN`. What it sends is asserted by the suite.
const [, , name, dsn] = process.argv
const Sentry = await import(name)

Sentry.init({ dsn, release: 'shop@1.0.0', environment: 'production', tracesSampleRate: 1 })
Sentry.setUser({ id: 77, email: 'nora@shop.example' })
Sentry.setTag('region', 'eu-west')
Sentry.addBreadcrumb({ category: 'cart', message: 'item added', data: { sku: 'A-1', password: 'hunter2' } })

class CheckoutError extends Error {
  name = 'CheckoutError'
}

function loadCart() {
  const secret = 'not for anyone'
  throw new TypeError(`cart 40118 is empty (${secret.length})`)
}

try {
  loadCart()
} catch (cause) {
  Sentry.captureException(new CheckoutError('checkout of order 40118 failed', { cause }))
}
Sentry.captureMessage('stock level below threshold', 'warning')
await Sentry.startSpan({ name: 'checkout', op: 'function' }, async () => {})
// A request that a server answers is a session.
const { createServer } = await import('node:http')
const server = createServer((_request, response) => response.end('ok'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
await (await fetch(`http://127.0.0.1:${server.address().port}`)).text()
server.close()
// biome-ignore lint/nursery/noFloatingPromises: that nobody waits for it is what is told
Promise.reject(new RangeError('nobody waits for this'))
setTimeout(async () => {
  await Sentry.close(5_000)
  process.exit(0)
}, 50)
process.on('unhandledRejection', () => {})
