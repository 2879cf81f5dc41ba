// An app with a server SDK that traces everything, its relay, and a request of its own to the same host.
// `relay-app.mjs SDK DSN`; prints its address.
import { createServer } from 'node:http'

const [sdk, dsn] = process.argv.slice(2)
const Sentry = await import(sdk)
Sentry.init({ dsn, tracesSampleRate: 1, tracePropagationTargets: [/.*/], propagateTraceparent: true })
const { relay } = await import('@errata/relay/node')

const relayed = relay({ dsn })
const server = createServer(async (request, response) => {
  if (relayed(request, response)) return
  const answer = await fetch(`${new URL(dsn).origin}/own`)
  response.end(await answer.text())
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
