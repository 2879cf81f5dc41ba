/** A page of an old build that asks the new one for what the deploy took away. docs/wire.md, section "Deploy skew". */
import { byWord } from '#base/by-word.ts'
import { isAssetPath, isStylesheet } from '#model/asset-path.ts'
import { SKEW_KINDS, type Skew, type SkewFailure } from '#model/recognised.ts'
import type { Said } from './said.ts'

const SUBJECT_CHARS_MAX = 200

interface SkewRule {
  readonly failure: SkewFailure
  /** The first group, where there is one, is the subject. */
  readonly pattern: RegExp
  /** Text that every match contains, for a cheap look. */
  readonly holds: string
}

const RULES: readonly SkewRule[] = [
  // Next.js, in the browser (`UnrecognizedActionError`) and on the server.
  {
    failure: 'action',
    holds: 'Server Action',
    pattern: /^Server Action "([\w-]{1,200})" was not found on the server/,
  },
  {
    failure: 'action',
    holds: 'Server Action',
    pattern: /^Failed to find Server Action(?: "([^"\n]{1,200})")?/,
  },
  // Next.js: the action is there, what the page sends along was encrypted with another build's key.
  {
    failure: 'key',
    holds: 'Server Action',
    pattern: /^Invalid Server Action payload: failed to decrypt/,
  },
  // TanStack Start: the id is made of file and name, so that a function that moved is gone for old tabs.
  {
    failure: 'action',
    holds: 'Server function info',
    pattern: /^Server function info not found for ([\w-]{1,200})/,
  },
  // webpack, scripts and styles; then Turbopack.
  { failure: 'chunk', holds: 'chunk', pattern: /^Loading chunk ([^\s]{1,200}) failed/ },
  { failure: 'stylesheet', holds: 'chunk', pattern: /^Loading CSS chunk ([^\s]{1,200}) failed/ },
  { failure: 'chunk', holds: 'chunk', pattern: /^Failed to load chunk ([^\s]{1,500})/ },
  // Vite, and any dynamic import: Chromium, Firefox (which may name no address), Safari.
  {
    failure: 'chunk',
    holds: 'dynamically imported module',
    pattern: /^Failed to fetch dynamically imported module(?:: ([^\s]{1,500}))?/,
  },
  {
    failure: 'chunk',
    holds: 'dynamically imported module',
    pattern: /^error loading dynamically imported module(?:: ([^\s]{1,500}))?/i,
  },
  { failure: 'chunk', holds: 'module script', pattern: /^Importing a module script failed/ },
  // Chromium of a file that the server answers with its page for unknown addresses.
  {
    failure: 'chunk',
    holds: 'module script',
    pattern:
      /^Failed to load module script: Expected a JavaScript(?:-or-Wasm)? module script but the server responded with a MIME type of "text\/html"/,
  },
  { failure: 'stylesheet', holds: 'preload CSS', pattern: /^Unable to preload CSS for ([^\s]{1,500})/ },
  // Next.js, Pages Router: a page's script, and the manifest of the build that names it.
  {
    failure: 'chunk',
    holds: 'Failed to load script',
    pattern: /^Failed to load script: ([^\s]{0,300}\/_next\/static\/[^\s]{1,300})/,
  },
  {
    failure: 'page-data',
    holds: 'client build manifest',
    pattern: /^Failed to load client build manifest/,
  },
  // React Router's client, which reloads the page by itself when it can.
  {
    failure: 'page-data',
    holds: 'manifest version mismatch',
    pattern: /due to manifest version mismatch/,
  },
  {
    failure: 'reload',
    holds: 'manifest version mismatch',
    pattern: /^Detected (?:a )?manifest version mismatch/,
  },
]
const NO_ROUTE = /^No route matches URL "([^"\n]{1,1000})"/
/** Types that say it whatever the message. */
const TYPES: Readonly<Record<string, SkewFailure>> = byWord({
  UnrecognizedActionError: 'action',
  ChunkLoadError: 'chunk',
})

export function recogniseSkew({ type, text }: Said): Skew | null {
  const rule = RULES.find(({ holds, pattern }) => text.includes(holds) && pattern.test(text))
  if (rule !== undefined) return skew(rule.failure, rule.pattern.exec(text)?.[1])
  const ofType = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (ofType !== undefined) return skew(ofType, undefined)
  const path = text.startsWith('No route') ? NO_ROUTE.exec(text)?.[1] : undefined
  return path !== undefined && isAssetPath(path) ? skew('chunk', path) : null
}

function skew(said: SkewFailure, subject: string | undefined): Skew {
  const plain = (subject ?? '').replace(/^https?:\/\/[^/]{0,300}/i, '').replace(/[?#].*$/s, '')
  const failure = said === 'chunk' && isStylesheet(plain) ? 'stylesheet' : said
  return {
    ...{ category: 'skew', kind: SKEW_KINDS[failure], failure },
    subject: plain === '' ? null : plain.slice(0, SUBJECT_CHARS_MAX),
  }
}
