/** Answers of all features together. Never part of the browser's bundle. */
import type { FeatureTable, HandlerRoute } from '#wire/app-tables.ts'
import type { Action } from '#wire/define-action.ts'
import type { LoaderTable } from '#wire/loader.ts'
import { FRAME } from '#wire/names.ts'
import { loadFrame } from './frame.server.ts'
import { pages } from './pages.ts'
import { shellTable } from './table.server.ts'
import * as tables from './tables.server.ts'

export const features: readonly FeatureTable[] = [...Object.values<FeatureTable>(tables), shellTable]

export const loaders: LoaderTable = {
  ...Object.fromEntries(features.flatMap((feature) => Object.entries(feature.loaders))),
  [FRAME]: loadFrame,
}
export const actions: readonly Action[] = features.flatMap((feature) => feature.actions)
export const handlers: readonly HandlerRoute[] = features.flatMap((feature) => feature.handlers)

/** First segments of addresses: no organisation's slug may be one of them. */
export function reservedSegments(): readonly string[] {
  const paths = [...pages, ...handlers].map(({ path }) => path.split('/')[1] ?? '')
  const own = paths.filter((segment) => segment !== '' && !segment.startsWith(':') && segment !== '*')
  return [...new Set([...own, ...OTHERS])].sort()
}

/** Answered beside the web app, or kept for what is likely to be. */
const OTHERS = [
  '.well-known',
  'api',
  'assets',
  'docs',
  'scim',
  'favicon.ico',
  'forgot',
  'health',
  'mcp',
  'metrics',
  'monitoring',
  'packages',
  'robots.txt',
] as const
