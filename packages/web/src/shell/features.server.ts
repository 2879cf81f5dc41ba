/** Every feature with all that it answers: a line a feature. Never part of the browser's bundle. */
import { accountTable } from '#features/account/table.server.ts'
import { alertsTable } from '#features/alerts/table.server.ts'
import { authTable } from '#features/auth/table.server.ts'
import { digestTable } from '#features/digest/table.server.ts'
import { eventTable } from '#features/event/table.server.ts'
import { inboxTable } from '#features/inbox/table.server.ts'
import { issuesTable } from '#features/issues/table.server.ts'
import { orgSettingsTable } from '#features/org-settings/table.server.ts'
import { outcomesTable } from '#features/outcomes/table.server.ts'
import { overviewTable } from '#features/overview/table.server.ts'
import { peopleTable } from '#features/people/table.server.ts'
import { performanceTable } from '#features/performance/table.server.ts'
import { projectSettingsTable } from '#features/project-settings/table.server.ts'
import { projectsTable } from '#features/projects/table.server.ts'
import { releasesTable } from '#features/releases/table.server.ts'
import { sharedTable } from '#features/shared/table.server.ts'
import { skewTable } from '#features/skew/table.server.ts'
import { systemTable } from '#features/system/table.server.ts'
import { tracesTable } from '#features/traces/table.server.ts'
import type { FeatureTable, HandlerRoute } from '#wire/app-tables.ts'
import type { Action } from '#wire/define-action.ts'
import type { LoaderTable } from '#wire/loader.ts'
import { FRAME } from '#wire/names.ts'
import { loadFrame } from './frame.server.ts'
import { pages } from './pages.ts'
import { shellTable } from './table.server.ts'

export const features: readonly FeatureTable[] = [
  authTable,
  overviewTable,
  issuesTable,
  eventTable,
  sharedTable,
  digestTable,
  tracesTable,
  performanceTable,
  skewTable,
  peopleTable,
  releasesTable,
  outcomesTable,
  alertsTable,
  projectsTable,
  projectSettingsTable,
  orgSettingsTable,
  inboxTable,
  accountTable,
  systemTable,
  shellTable,
]

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
