/** The relay in an app, by framework: what to paste. `packages/relay/README.md` shows the same texts. */

export interface Snippet {
  /** `terminal`, or the file it belongs into. */
  readonly file: string
  readonly text: string
}

export interface RelayInput {
  readonly dsn: string
  /** Query that names organisation and project: `o=acme&p=shop`. */
  readonly query: string
  /** Public address of Errata, which hands out the package. */
  readonly url: string
}

export const RELAY_FRAMEWORKS = [
  { id: 'next', name: 'Next.js' },
  { id: 'next-pages', name: 'Next.js (Pages Router)' },
  { id: 'next-proxy', name: 'Next.js (proxy.ts)' },
  { id: 'react-router', name: 'React Router' },
  { id: 'tanstack-start', name: 'TanStack Start' },
  { id: 'sveltekit', name: 'SvelteKit' },
  { id: 'nuxt', name: 'Nuxt' },
  { id: 'astro', name: 'Astro' },
  { id: 'express', name: 'Express' },
  { id: 'fastify', name: 'Fastify' },
  { id: 'hono', name: 'Hono' },
  { id: 'node', name: 'Node' },
  { id: 'other', name: 'Other' },
] as const

export type RelayFramework = (typeof RELAY_FRAMEWORKS)[number]['id']

/** Returns the route where the framework puts it, with this project's names: the value of `tunnel`. */
function tunnelOf(framework: RelayFramework, { query }: RelayInput): string {
  return `${framework === 'next-pages' ? '/api/monitoring' : '/monitoring'}?${query}`
}

/** The install command, the server's half, and the line for the browser's `init`. */
export function relaySnippets(framework: RelayFramework, input: RelayInput): readonly Snippet[] {
  return [
    { file: 'terminal', text: `npm install ${input.url}/packages/relay.tgz` },
    ...ROUTES[framework](input.dsn),
    {
      file: 'the browser’s Sentry.init',
      text: `tunnel: '${tunnelOf(framework, input)}',`,
    },
  ]
}

const ROUTES: Readonly<Record<RelayFramework, (dsn: string) => readonly Snippet[]>> = {
  next: (dsn) => [
    {
      file: 'app/monitoring/route.ts',
      text: `import { relayRoute } from '@errata/relay/next'

export const { POST, OPTIONS } = relayRoute({
  dsn: '${dsn}',
})`,
    },
  ],
  'next-pages': (dsn) => [
    {
      file: 'pages/api/monitoring.ts',
      text: `import { relayApiRoute } from '@errata/relay/next'

export const config = { api: { bodyParser: false } }

export default relayApiRoute({
  dsn: '${dsn}',
})`,
    },
  ],
  'next-proxy': (dsn) => [
    {
      file: 'proxy.ts, before what asks for a session',
      text: `import { relayProxy } from '@errata/relay/next'
import { NextResponse } from 'next/server'

const relay = relayProxy({
  dsn: '${dsn}',
})

export async function proxy(request: Request) {
  return (await relay(request)) ?? NextResponse.next()
}`,
    },
  ],
  'react-router': (dsn) => [
    {
      file: 'app/routes/monitoring.ts',
      text: `import { relayAction } from '@errata/relay/react-router'

export const action = relayAction({
  dsn: '${dsn}',
})`,
    },
    { file: 'app/routes.ts, one more route', text: `route('monitoring', 'routes/monitoring.ts'),` },
  ],
  'tanstack-start': (dsn) => [
    {
      file: 'src/routes/monitoring.ts',
      text: `import { relayHandlers } from '@errata/relay/tanstack-start'
import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/monitoring')({
  server: {
    handlers: relayHandlers({
      dsn: '${dsn}',
    }),
  },
})`,
    },
  ],
  sveltekit: (dsn) => [
    {
      file: 'src/routes/monitoring/+server.ts',
      text: `import { createRelay } from '@errata/relay'
import type { RequestHandler } from './$types'

const relay = createRelay({
  dsn: '${dsn}',
})

export const POST: RequestHandler = ({ request, getClientAddress }) =>
  relay(request, { clientAddress: getClientAddress() })`,
    },
  ],
  nuxt: (dsn) => [
    {
      file: 'server/routes/monitoring.post.ts',
      text: `import { createRelay } from '@errata/relay'

const relay = createRelay({
  dsn: '${dsn}',
})

export default defineEventHandler((event) =>
  relay(toWebRequest(event), { clientAddress: getRequestIP(event) ?? null }),
)`,
    },
  ],
  astro: (dsn) => [
    {
      file: 'src/pages/monitoring.ts',
      text: `import { createRelay } from '@errata/relay'
import type { APIRoute } from 'astro'

export const prerender = false

const relay = createRelay({
  dsn: '${dsn}',
})

export const POST: APIRoute = ({ request, clientAddress }) => relay(request, { clientAddress })`,
    },
    // Else Astro takes what browsers send to https for another site's: it sees plain HTTP.
    {
      file: 'astro.config.mjs, in defineConfig, with the name of your app: behind a proxy that ends TLS',
      text: `security: { allowedDomains: [{ protocol: 'https', hostname: 'app.example.com' }] },`,
    },
  ],
  express: (dsn) => [
    {
      file: 'app.ts, before body parsers',
      text: `import { relay } from '@errata/relay/express'

app.use(
  relay({
    dsn: '${dsn}',
  }),
)`,
    },
  ],
  fastify: (dsn) => [
    {
      file: 'app.ts',
      text: `import { relay } from '@errata/relay/fastify'

await app.register(relay, {
  dsn: '${dsn}',
})`,
    },
  ],
  hono: (dsn) => [
    {
      file: 'app.ts, before other middleware',
      text: `import { relay } from '@errata/relay/hono'

app.use(
  relay({
    dsn: '${dsn}',
  }),
)`,
    },
  ],
  node: (dsn) => [
    {
      file: 'server.ts',
      text: `import { createServer } from 'node:http'
import { relay } from '@errata/relay/node'

const relayed = relay({
  dsn: '${dsn}',
})

createServer((request, response) => {
  if (relayed(request, response)) return
  // the app
})`,
    },
  ],
  other: (dsn) => [
    {
      file: 'any server with Request and Response',
      text: `import { createRelay } from '@errata/relay'

const relay = createRelay({
  dsn: '${dsn}',
})

export const POST = ({ request }: { request: Request }) => relay(request)`,
    },
  ],
}

/** Returns a rewrite that needs no package, and loses something by it. */
export function rewriteSnippet(url: string): Snippet {
  return {
    file: 'next.config.ts',
    text: `export default {
  async rewrites() {
    return [{ source: '/monitoring', destination: '${url}/monitoring' }]
  },
}`,
  }
}
