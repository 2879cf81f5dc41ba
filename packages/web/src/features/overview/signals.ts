/** Signals that an app may send, and what turns each on. */

export const RELEASE_SIGNAL = 'Releases and sessions'
export const STACK_SIGNAL = 'Readable stacks'

export type SignalName =
  | typeof RELEASE_SIGNAL
  | typeof STACK_SIGNAL
  | 'Errors'
  | 'Requests and traces'
  | 'Web vitals'
  | 'People'

interface Signal {
  readonly name: SignalName
  readonly what: string
  readonly how: string
  /** Place of the line; may be empty. */
  readonly where: string
}

export const SIGNAL_ROWS: readonly Signal[] = [
  {
    name: 'Errors',
    what: 'exceptions, with the digest the user saw',
    how: 'Sentry.init({ dsn })',
    where: '',
  },
  {
    ...{ name: 'Requests and traces', what: 'routes that fail or are slow, by request kind' },
    ...{ how: 'tracesSampleRate: 1', where: 'in Sentry.init on the server' },
  },
  {
    ...{ name: 'Web vitals', what: 'how fast pages are for their users' },
    ...{ how: 'browserTracingIntegration()', where: 'and tracesSampleRate in the browser' },
  },
  {
    ...{ name: RELEASE_SIGNAL, what: 'what a deploy changed, crash-free sessions, stale tabs' },
    ...{ how: "release: 'shop@1.4.0'", where: 'the same in the browser and on the server' },
  },
  {
    ...{ name: STACK_SIGNAL, what: 'your source instead of the build' },
    ...{ how: 'errata upload-build', where: 'after each build, or Sentry’s plugins' },
  },
  {
    name: 'People',
    what: 'who is affected by an issue',
    how: 'Sentry.setUser({ id })',
    where: 'after sign-in',
  },
]
