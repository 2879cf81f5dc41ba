import { paths } from '#parts/paths.ts'
import type { TraceData } from './trace.server.ts'

/** Selection shown beside the waterfall. */
export interface Chosen {
  readonly spanId: string | null
  /** Place of the error that was chosen, rather than its span. */
  readonly error: number | null
}

/** The address of a span or an error of this trace. */
export function chosenPath({ org, traceId, near, errors }: TraceData, { spanId, error }: Chosen): string {
  const eventId = error === null ? undefined : errors[error]?.eventId
  const query = eventId === undefined ? { span: spanId } : { error: eventId }
  return paths.trace(org, traceId, { near, ...query })
}
