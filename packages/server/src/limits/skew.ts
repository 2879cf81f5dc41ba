/** Deploy skew: what is kept of the clicks of stale tabs. */
import { type Limit, limit } from './limit.ts'

export const SKEW_LIMITS = {
  staleRequestsPerFragmentMax: limit(
    20,
    'count',
    'Missing files of one page that count as clicks of a stale tab.',
  ),
  staleClickDays: limit(3, 'days', 'For so long the other half of a stale click finds it.'),
  staleClicksPerProjectMax: limit(
    100_000,
    'count',
    'Stale clicks of one project that are known one by one; of further ones both halves may count.',
  ),
  staleTraceMs: limit(
    60_000,
    'ms',
    'Halves of one click in one trace are no further apart: clocks of browsers drift.',
  ),
  staleTogetherMs: limit(
    10_000,
    'ms',
    'Without a trace in common, halves of one click are no further apart.',
  ),
  staleRepeatMs: limit(1_000, 'ms', 'Who tells of the same thing twice within this time tells of one click.'),
  staleNearMax: limit(200, 'count', 'Clicks among which the other half of one is looked for.'),
  staleSlotMs: limit(
    600_000,
    'ms',
    'Stale clicks are counted per such a span of time, as fine as their half-life is told.',
  ),
  staleSeriesPerProjectMax: limit(
    5_000,
    'count',
    'Failures by deploy, build and route that a project has counts of; further ones count without their route.',
  ),
  skewDeploysShownMax: limit(50, 'count', 'Deploys on the page about skew, the newest.'),
  skewPlacesShownMax: limit(
    20,
    'count',
    'Failures by place of one deploy that are shown, those with most clicks.',
  ),
  skewBuildsOfProjectMax: limit(
    100,
    'count',
    'Newest releases of a project, among which the two newest of each of its environments are looked for.',
  ),
  skewBuildsReadMax: limit(
    2_000,
    'count',
    'Deploys and first sights of releases that clicks are told apart by.',
  ),
  skewOlderBuildsMax: limit(
    10,
    'count',
    'Older builds whose open tabs are looked for, those with stale clicks and the newest.',
  ),
  skewSuccessorMs: limit(
    86_400_000,
    'ms',
    'A release that is first seen so long after a stale click may be the one that replaced the tab’s.',
  ),
  skewDeploySlackMs: limit(
    3_600_000,
    'ms',
    'A deploy that a tool tells of is out so long before the tool says it at most.',
  ),
} satisfies Readonly<Record<string, Limit>>
