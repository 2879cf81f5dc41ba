import * as Sentry from '@sentry/react-router'

/**
 * The number of an error page, where a framework has none: the id of the trace. Server and browser have the same one,
 * since the page hands it on, so Errata finds what failed on either side.
 */
export function errorReference(): string {
  const span = Sentry.getActiveSpan()
  return span?.spanContext().traceId ?? Sentry.getCurrentScope().getPropagationContext().traceId
}
