/**
 * Lines that an app adds so that the number on its error page leads to the failure. docs/digests.md shows the
 * same texts. Text only: nobody runs it here.
 */
import type { Snippet } from '#parts/relay-snippets.ts'

export interface ReferenceLines {
  /** Reason: what the framework lacks, and what the lines do about it. */
  readonly why: string
  readonly snippet: Snippet
}

const NEXT: ReferenceLines = {
  why: 'Add the number to what the error page reports:',
  snippet: {
    file: 'app/error.tsx and app/global-error.tsx',
    text: `useEffect(() => {
  Sentry.captureException(error, { tags: { digest: error.digest } })
}, [error])`,
  },
}

const REACT_ROUTER: ReferenceLines = {
  why: 'React Router has no digests. Show the trace ID instead; it can be looked up here, too.',
  snippet: {
    file: 'app/root.tsx, in ErrorBoundary',
    text: `const reference = Sentry.getTraceData()['sentry-trace']?.slice(0, 32)

<code suppressHydrationWarning>{reference}</code>`,
  },
}

const TANSTACK: ReferenceLines = {
  why: 'TanStack Start has no digests. Show the trace ID instead; it can be looked up here, too.',
  snippet: {
    file: 'src/router.tsx, in defaultErrorComponent',
    text: REACT_ROUTER.snippet.text,
  },
}

const SVELTEKIT: ReferenceLines = {
  why: 'SvelteKit has no digests. Make an ID where errors are handled and show it; it can be looked up here, too.',
  snippet: {
    file: 'src/hooks.server.ts',
    text: `export const handleError = ({ error }) => {
  const errorId = crypto.randomUUID()
  Sentry.captureException(error, { extra: { errorId } })
  return { message: 'Internal Error', errorId }
}`,
  },
}

const NUXT: ReferenceLines = {
  why: 'Nuxt has no digests. Show the trace ID instead; it can be looked up here, too.',
  snippet: {
    file: 'app/error.vue, in <script setup>',
    text: `const reference = Sentry.getTraceData()['sentry-trace']?.slice(0, 32)`,
  },
}

const OTHER: ReferenceLines = {
  why: 'No framework, or one without digests? Show the event ID; it can be looked up here, too.',
  snippet: { file: 'where the error is caught', text: 'const reference = Sentry.captureException(error)' },
}

/** By a project’s platform; one that is not known most likely has digests, as somebody pasted one. */
export function referenceLines(platform: string | null): ReferenceLines {
  if (platform === null || platform === '' || platform.includes('nextjs')) return NEXT
  if (platform.includes('react-router') || platform.includes('remix')) return REACT_ROUTER
  if (platform.includes('sveltekit')) return SVELTEKIT
  if (platform.includes('nuxt')) return NUXT
  return platform.includes('tanstack') ? TANSTACK : OTHER
}

export const ALL_REFERENCE_LINES: readonly ReferenceLines[] = [
  ...[NEXT, REACT_ROUTER, TANSTACK, SVELTEKIT, NUXT, OTHER],
]
