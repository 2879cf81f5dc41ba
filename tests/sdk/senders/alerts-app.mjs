// A shop with an unmodified SDK, and something for every kind of alert rule: `node alerts-app.mjs PACKAGE DSN`.
const [, , name, dsn] = process.argv
const Sentry = await import(name)

Sentry.init({
  ...{ dsn, release: 'shop@1.0.0', environment: 'production', tracesSampleRate: 1 },
  // What the app itself drops, the SDK reports as discarded.
  beforeSend: (event) => (event.message === 'not worth an event' ? null : event),
})
Sentry.setUser({ id: 77, email: 'nora@shop.example' })

class CheckoutError extends Error {
  name = 'CheckoutError'
}

Sentry.captureException(new CheckoutError('checkout of order 40118 failed'))
Sentry.captureException(new TypeError('cannot render the cart'), { tags: { digest: '2674428404' } })
Sentry.captureMessage('stock level below threshold', 'warning')
Sentry.captureMessage('not worth an event')

// Requests that a server answers are transactions and sessions; half of these fail.
const { createServer } = await import('node:http')
const server = createServer((request, response) =>
  response.writeHead(request.url === '/checkout' ? 500 : 200).end(request.url),
)
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
for (const path of ['/', '/checkout'])
  await (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text()
server.close()
// Closing reports what was discarded before it waits for events under way, and on a slow disk that is one of them.
await Sentry.flush(5_000)
await Sentry.close(5_000)
process.exit(0)
