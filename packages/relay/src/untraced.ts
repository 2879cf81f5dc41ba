/**
 * Keeps the relay's own request out of the app's traces: it is no work of the app, and what relays a browser's trace
 * must not name another. `@opentelemetry/api` is reached where it registers itself, for SDKs up to version 10 and for
 * plain OpenTelemetry. Later SDKs know a request with their key in its query as their own.
 */
interface Context {
  setValue(key: symbol, value: unknown): Context
}

interface ContextKeeper {
  active(): Context
  with<T>(context: Context, run: () => T): T
}

const API = Symbol.for('opentelemetry.js.api.1')
const SUPPRESS = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

export function runUntraced<T>(run: () => T): T {
  const api: unknown = Reflect.get(globalThis, API)
  const keeper: unknown = typeof api === 'object' && api !== null ? Reflect.get(api, 'context') : null
  return isKeeper(keeper) ? keeper.with(keeper.active().setValue(SUPPRESS, true), run) : run()
}

function isKeeper(value: unknown): value is ContextKeeper {
  return typeof value === 'object' && value !== null && 'active' in value && 'with' in value
}
