// A shop with an unmodified SDK that fails at one place so many times: `node escalating-app.mjs PACKAGE DSN TIMES`.
const [, , name, dsn, times] = process.argv
const Sentry = await import(name)

Sentry.init({ dsn, release: 'shop@1.0.0', environment: 'production' })

class StockError extends Error {
  name = 'StockError'
}

// The SDK leaves out what is the same as the event before.
for (let order = 0; order < Number(times); order++)
  Sentry.captureException(new StockError(`order ${order} waits`))
await Sentry.close(5_000)
process.exit(0)
