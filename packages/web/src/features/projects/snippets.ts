/**
 * Snippets to paste into an app, by platform. Text only: the page shows it, nobody runs it here. They turn on
 * what Errata stores, traces included, and nothing else.
 */
import { PLATFORMS } from '#parts/platforms.ts'
import { type RelayFramework, relaySnippets, type Snippet } from '#parts/relay-snippets.ts'
import { astro, nextjs, nuxt, reactRouter, svelteKit, tanstackStart } from './framework-snippets.ts'
import { RELEASE, type SnippetInput, TRACE_OPTIONS } from './snippet-lines.ts'

/** Every platform but the one that is none of them, and what needs no SDK. */
export const SNIPPET_TABS: readonly { readonly id: string; readonly name: string }[] = [
  ...PLATFORMS.filter(({ id }) => id !== ''),
  { id: 'opentelemetry', name: 'OpenTelemetry' },
  { id: 'curl', name: 'curl' },
]

export function snippetsFor(platform: string, input: SnippetInput): readonly Snippet[] {
  switch (platform) {
    case 'javascript-react-router':
      return reactRouter(input)
    case 'javascript-tanstackstart-react':
      return tanstackStart(input)
    case 'javascript-sveltekit':
      return svelteKit(input)
    case 'javascript-nuxt':
      return nuxt(input)
    case 'javascript-astro':
      return astro(input)
    case 'node':
      return node(input)
    case 'javascript-browser':
      return browser(input)
    case 'python':
      return python(input)
    case 'go':
      return go(input)
    case 'opentelemetry':
      return openTelemetry(input)
    case 'curl':
      return curl(input)
    default:
      return nextjs(input)
  }
}

/** Platforms whose framework has a route for the relay, and where their browser's `init` stands. */
const RELAYS: ReadonlyMap<string, { readonly framework: RelayFramework; readonly init: string }> = new Map([
  ['javascript-nextjs', { framework: 'next', init: 'instrumentation-client.ts' }],
  ['javascript-react-router', { framework: 'react-router', init: 'app/entry.client.tsx' }],
  ['javascript-tanstackstart-react', { framework: 'tanstack-start', init: 'src/router.tsx' }],
  ['javascript-sveltekit', { framework: 'sveltekit', init: 'src/hooks.client.ts' }],
  ['javascript-nuxt', { framework: 'nuxt', init: 'sentry.client.config.ts' }],
  ['javascript-astro', { framework: 'astro', init: 'sentry.client.config.js' }],
])

/**
 * The relay as part of the app, and last the line that has the browser use it: before the route is there it would lose
 * every event. None for platforms without a browser half.
 */
export function relayFor(platform: string, { dsn, tunnel, url }: SnippetInput): readonly Snippet[] {
  const found = RELAYS.get(platform)
  if (found !== undefined) {
    const query = tunnel.split('?')[1] ?? ''
    const snippets = relaySnippets(found.framework, { dsn, query, url })
    return snippets.with(-1, { file: `${found.init}, in Sentry.init`, text: `tunnel: '${tunnel}',` })
  }
  return platform === 'javascript-browser' ? browserRelay({ dsn, tunnel, url }) : []
}

/** Pages that a plain web server hands out: it is the relay itself. Nothing that only runs in development is one. */
function browserRelay({ tunnel, url }: SnippetInput): readonly Snippet[] {
  const { host } = new URL(url)
  return [
    {
      file: 'nginx, in the server block of your pages',
      text: `location = /monitoring {
  proxy_pass ${url}/monitoring;
  proxy_ssl_server_name on;
  proxy_set_header Host ${host};
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header Cookie "";
  client_max_body_size 20m;
}`,
    },
    { file: 'main.ts, in Sentry.init', text: `tunnel: '${tunnel}',` },
    {
      file: 'vite.config.ts, for development only',
      text: `import { defineConfig } from 'vite'

export default defineConfig({
  server: {
    proxy: { '/monitoring': { target: '${url}', changeOrigin: true } },
  },
})`,
    },
  ]
}

function node({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/node' },
    {
      file: 'instrument.mjs',
      text: `import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  ${TRACE_OPTIONS}
  ${RELEASE}
})`,
    },
    { file: 'terminal', text: 'node --import ./instrument.mjs app.mjs' },
  ]
}

function browser({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'npm install @sentry/browser' },
    {
      file: 'main.ts, first lines',
      text: `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
  integrations: [Sentry.browserTracingIntegration()],
  ${TRACE_OPTIONS}
  ${RELEASE}
})`,
    },
  ]
}

function python({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'pip install sentry-sdk' },
    {
      file: 'app.py, first lines',
      text: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    traces_sample_rate=1.0,   # traces and performance; 0.2 sends one in five
    # release="my-app@1.4.0",   # of the build; no sessions are sent without it
)`,
    },
    { file: 'terminal: start', text: 'python app.py' },
  ]
}

function go({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: 'go get github.com/getsentry/sentry-go' },
    {
      file: 'main.go, for net/http',
      text: `package main

import (
	"log"
	"net/http"
	"time"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:              "${dsn}",
		EnableTracing:    true,
		TracesSampleRate: 1.0, // traces and performance; 0.2 sends one in five
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	defer sentry.Flush(2 * time.Second)

	handler := sentryhttp.New(sentryhttp.Options{Repanic: true}).Handle(http.DefaultServeMux)
	if err := http.ListenAndServe(":8080", handler); err != nil {
		log.Print(err)
	}
}`,
    },
    { file: 'terminal: start', text: 'go run .' },
  ]
}

/** Traces alone: an exporter that also sends metrics and logs would be told 404 again and again. */
function openTelemetry({ dsn }: SnippetInput): readonly Snippet[] {
  const { key, api } = splitDsn(dsn)
  return [
    {
      file: 'environment of the app',
      text: `export OTEL_SERVICE_NAME=my-app
export OTEL_TRACES_EXPORTER=otlp
export OTEL_METRICS_EXPORTER=none
export OTEL_LOGS_EXPORTER=none
export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${api}/otlp/v1/traces
export OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-sentry-auth=sentry%20sentry_key=${key}`,
    },
    {
      file: 'terminal, for Node',
      text: `npm install @opentelemetry/api @opentelemetry/auto-instrumentations-node
node --require @opentelemetry/auto-instrumentations-node/register app.js`,
    },
    {
      file: 'terminal, for Python',
      text: `pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http
opentelemetry-bootstrap -a install
opentelemetry-instrument python app.py`,
    },
  ]
}

/** Builds one envelope. Its id is given at receipt, so that pasting it twice is two events. */
function curl({ dsn }: SnippetInput): readonly Snippet[] {
  return [
    {
      file: 'terminal',
      text: `curl ${splitDsn(dsn).api}/envelope/ --data-binary '{"dsn":"${dsn}"}
{"type":"event"}
{"exception":{"values":[{"type":"Error","value":"Hello from curl"}]}}'`,
    },
  ]
}

/** The key of a DSN, and the address below which its project takes what is sent. */
function splitDsn(dsn: string): { readonly key: string; readonly api: string } {
  const [, protocol = '', key = '', place = '', project = ''] =
    /^(https?:\/\/)([^@]*)@(.*)\/(\d+)$/.exec(dsn) ?? []
  return { key, api: `${protocol}${place}/api/${project}` }
}
