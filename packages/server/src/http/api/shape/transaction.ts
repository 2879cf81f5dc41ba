/** A transaction as JSON, in the camel case of Sentry's web API. */
import type { Span } from '#model/span.ts'
import type { TransactionView } from '#queries/traces/transaction.ts'
import { userOfRow } from './event.ts'
import { isoTimeText } from './times.ts'

export function transactionShape(view: TransactionView) {
  const { row, contexts } = view
  const root = rootOf(view)
  const startSeconds = root?.start_timestamp ?? row.timestampMs / 1_000
  return {
    ...{ id: row.eventId, eventID: row.eventId, groupID: null, projectID: String(row.projectId) },
    ...{ type: 'transaction' as const, title: row.name, message: '', culprit: row.name, location: row.name },
    ...{ platform: row.platform, dist: row.dist },
    ...{ dateCreated: isoTimeText(row.timestampMs), dateReceived: isoTimeText(row.receivedMs), size: null },
    startTimestamp: startSeconds,
    endTimestamp: root?.end_timestamp ?? startSeconds + row.durationMs / 1_000,
    user: userOfRow(row),
    tags: row.tags.map(([key, value]) => ({ key, value })),
    entries: [
      {
        type: 'spans' as const,
        data: spansBelowRoot(view).map((span) => transactionSpanShape(span, row.traceId)),
      },
    ],
    contexts: { ...contexts, trace: traceContext(view) },
    ...{ context: {}, packages: {}, sdk: row.sdk === null ? null : readSdk(row.sdk) },
    release: row.release === null ? null : { version: row.release },
    ...{ fingerprints: [], metadata: { title: row.name, location: row.name }, errors: [], digests: [] },
    ...{ requestKind: row.requestKind, nextEventID: null, previousEventID: null, crashFile: null, _meta: {} },
  }
}

/** The same in the spelling of SDKs. */
export function storedTransaction(view: TransactionView): Readonly<Record<string, unknown>> {
  const { row, contexts } = view
  const root = rootOf(view)
  const start = root?.start_timestamp ?? row.timestampMs / 1_000
  return {
    ...{ type: 'transaction', event_id: row.eventId, transaction: row.name, platform: row.platform },
    ...{ start_timestamp: start, timestamp: root?.end_timestamp ?? start + row.durationMs / 1_000 },
    ...{ release: row.release, dist: row.dist, environment: row.environment, server_name: row.serverName },
    ...{ tags: row.tags, contexts: { ...contexts, trace: traceContext(view) } },
    spans: spansBelowRoot(view).map((span) => transactionSpanShape(span, row.traceId)),
  }
}

function rootOf({ row, spans }: TransactionView): Span | undefined {
  return spans.find(({ span_id }) => span_id === row.segmentId)
}

function spansBelowRoot(view: TransactionView): readonly Span[] {
  const root = rootOf(view)
  return view.spans.filter((span) => span !== root)
}

function traceContext(view: TransactionView) {
  const { row } = view
  const { attributes = {}, origin = null } = rootOf(view) ?? {}
  return {
    ...{ type: 'trace', trace_id: row.traceId, span_id: row.segmentId, parent_span_id: row.parentSpanId },
    ...{ op: row.op, status: row.status, origin, data: attributes },
  }
}

function transactionSpanShape(span: Span, traceId: string) {
  const { name, end_timestamp, attributes = {}, ...rest } = span
  return { ...rest, trace_id: traceId, timestamp: end_timestamp, description: name, data: attributes }
}

function readSdk(text: string) {
  const at = text.lastIndexOf('/')
  return at < 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) }
}
