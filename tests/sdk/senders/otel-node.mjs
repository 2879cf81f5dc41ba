// A service with unmodified OpenTelemetry: `node otel-node.mjs EXPORTER DSN TRACEPARENT`. What it sends is asserted by the suite.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { BatchSpanProcessor, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'

const [, , exporter, dsn, traceparent] = process.argv
const { OTLPTraceExporter } = await import(exporter)
const { protocol, host, username, pathname } = new URL(dsn)

const isBinary = exporter.endsWith('proto')
const sender = new OTLPTraceExporter({
  url: `${protocol}//${host}/api${pathname}/integration/otlp/v1/traces`,
  headers: { 'x-sentry-auth': `sentry sentry_key=${username}` },
  ...(isBinary ? { compression: 'gzip' } : {}),
})
const provider = new NodeTracerProvider({
  // One sends a span as it ends, so that children come before their parents; the other all of them together.
  spanProcessors: [isBinary ? new BatchSpanProcessor(sender) : new SimpleSpanProcessor(sender)],
})
provider.register()

const tracer = trace.getTracer('prices.web', '1.4.0')
const attributes = {
  'http.request.method': 'GET',
  'http.route': '/prices/{sku}',
  'http.response.status_code': 500,
}
const upstream = propagation.extract(context.active(), { traceparent })
await context.with(upstream, () =>
  tracer.startActiveSpan('GET /prices/{sku}', { kind: SpanKind.SERVER, attributes }, async (span) => {
    const query = { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1', rows: 3 }
    tracer.startActiveSpan('SELECT prices', { kind: SpanKind.CLIENT, attributes: query }, (child) =>
      child.end(),
    )
    span.setAttribute('url.query', 'token=hunter2secret')
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'password=hunter2secret was refused' })
    span.end()
  }),
)
await provider.shutdown()
