/** A page of an old build that asks the new one for what the deploy took away. docs/wire.md, section "Deploy skew". */
import { isAssetPath } from '#model/asset-path.ts'
import type { Skew, SkewKind } from '#model/recognised.ts'
import type { Said } from './said.ts'

const SUBJECT_CHARS_MAX = 200

interface SkewRule {
  readonly kind: SkewKind
  /** The first group, where there is one, is the subject. */
  readonly pattern: RegExp
  /** What every match holds, for a look that costs nothing. */
  readonly holds: string
}

const RULES: readonly SkewRule[] = [
  // Next.js, in the browser (`UnrecognizedActionError`) and on the server.
  {
    kind: 'action',
    holds: 'Server Action',
    pattern: /^Server Action "([\w-]{1,200})" was not found on the server/,
  },
  {
    kind: 'action',
    holds: 'Server Action',
    pattern: /^Failed to find Server Action(?: "([^"\n]{1,200})")?/,
  },
  // webpack, scripts and styles; then Turbopack.
  { kind: 'chunk', holds: 'chunk', pattern: /^Loading (?:CSS )?chunk ([^\s]{1,200}) failed/ },
  { kind: 'chunk', holds: 'chunk', pattern: /^Failed to load chunk ([^\s]{1,500})/ },
  // Vite, and any dynamic import: Chromium, Firefox (which may name no address), Safari.
  {
    kind: 'chunk',
    holds: 'dynamically imported module',
    pattern: /^Failed to fetch dynamically imported module(?:: ([^\s]{1,500}))?/,
  },
  {
    kind: 'chunk',
    holds: 'dynamically imported module',
    pattern: /^error loading dynamically imported module(?:: ([^\s]{1,500}))?/i,
  },
  { kind: 'chunk', holds: 'module script', pattern: /^Importing a module script failed/ },
  { kind: 'chunk', holds: 'preload CSS', pattern: /^Unable to preload CSS for ([^\s]{1,500})/ },
  // React Router's client, which reloads the page by itself when it can.
  {
    kind: 'page-data',
    holds: 'manifest version mismatch',
    pattern: /(?:^Detected a? ?|due to )manifest version mismatch/,
  },
]
const NO_ROUTE = /^No route matches URL "([^"\n]{1,1000})"/
/** Types that say it whatever the message. */
const TYPES: Readonly<Record<string, SkewKind>> = {
  UnrecognizedActionError: 'action',
  ChunkLoadError: 'chunk',
}

export function recogniseSkew({ type, text }: Said): Skew | null {
  const rule = RULES.find(({ holds, pattern }) => text.includes(holds) && pattern.test(text))
  if (rule !== undefined) return skew(rule.kind, rule.pattern.exec(text)?.[1])
  const ofType = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (ofType !== undefined) return skew(ofType, undefined)
  const path = text.startsWith('No route') ? NO_ROUTE.exec(text)?.[1] : undefined
  return path !== undefined && isAssetPath(path) ? skew('chunk', path) : null
}

function skew(kind: SkewKind, subject: string | undefined): Skew {
  const plain = (subject ?? '').replace(/^https?:\/\/[^/]{0,300}/i, '').replace(/[?#].*$/s, '')
  return { category: 'skew', kind, subject: plain === '' ? null : plain.slice(0, SUBJECT_CHARS_MAX) }
}
