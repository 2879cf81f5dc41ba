/** The issue tracker of the sample: beside its code, answered within this process. */
import { unwrap } from '../local-answers.ts'
import { FAILING_PROJECT } from './plan-failures.ts'
import { RESOLVED_IN } from './release-story.ts'
import { type DemoOrganisation, type DemoStep, resolvedMs, until } from './tell-releases.ts'

export const DEMO_TRACKER = {
  ...{ kind: 'gitea', name: 'Shop backlog', resolvesHere: true, closesThere: true },
  values: {
    ...{ server: 'https://git.marlowfinch.example', place: 'shop/storefront' },
    ...{ token: 'token of the sample', secret: 'secret of the sample' },
  },
}

type To = Pick<DemoOrganisation, 'engine' | 'asking'>

const HOUR_MS = 3_600_000
const FOUND = {
  projects: [FAILING_PROJECT],
  environments: [],
  range: { startMs: 0, endMs: Number.MAX_SAFE_INTEGER },
  sort: 'date',
  limit: 1,
  cursor: null,
  rowsOnly: true,
} as const

/**
 * Returns the steps with the tracker: one issue is created there before it is resolved here, which closes it;
 * another stays open.
 */
export function trackerSteps(to: To, nowMs: number): readonly DemoStep[] {
  const [, resolved] = RESOLVED_IN.queries
  return [
    { atMs: resolvedMs(nowMs) - HOUR_MS, run: () => create(to, resolved) },
    { atMs: nowMs - 29 * HOUR_MS, run: () => create(to, 'error.type:OutOfStockError') },
  ]
}

async function create({ engine, asking }: To, query: string): Promise<void> {
  const [tracker] = await engine.queries.trackers(asking.scope)
  if (tracker === undefined) throw new Error('the sample has no issue tracker')
  await until(`an issue of ${query}`, async () => {
    const { rows } = await engine.queries.issueList(asking.scope, { ...FOUND, query })
    const [issue] = rows
    if (issue === undefined) return false
    const { shortId: ref } = issue
    unwrap(await engine.commands.run('createTrackerIssue', asking, { ref, tracker: tracker.id }))
    return true
  })
}
