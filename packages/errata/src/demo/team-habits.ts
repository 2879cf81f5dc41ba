/** How the people of the sample work together: teams, who owns what, the searches they keep, what they did. */
import { unwrap } from '../local-answers.ts'
import { FAILING_PROJECT } from './plan-failures.ts'
import type { DemoOrganisation, DemoStep } from './tell-releases.ts'

type To = Pick<DemoOrganisation, 'engine' | 'asking'>

/** Ownership rules of the shop; new issues are assigned by them as they are stored. */
const OWNERSHIP = `# Whoever sells looks after the checkout
path:src/checkout/*            #checkout
path:src/server/payments.ts    #payments
url:*/api/pay*                 #payments
tags.route:/checkout           #checkout
`

const CODEOWNERS = `# As in the shop's repository
[Shop]
/src/reviews/   @shop/checkout
/src/server/    @shop/payments rosa@marlowfinch.example
/deploy/**      rosa@marlowfinch.example
`

const SEARCHES = [
  ['For review by me', 'is:for_review assigned_or_suggested:[me, my_teams]', false],
  ['Checkout at risk', 'is:unresolved (route:/checkout OR error.value:*checkout*)', true],
  ['Many people', 'is:unresolved users:>50', true],
  ['Hydration and deploys', 'is:unresolved category:[hydration, skew]', true],
] as const

/** Before the first event: rules say nothing of issues that exist already. */
export async function makeHabits({ engine, asking }: To): Promise<void> {
  const { commands, queries } = engine
  const { scope } = asking
  const project = await queries.project(scope, FAILING_PROJECT)
  const { userId } = scope
  if (project === null || userId === undefined) throw new Error('the sample has no shop, or no owner')
  const teams = [
    ['Checkout', [userId]],
    ['Payments', []],
  ] as const
  for (const [name, members] of teams) {
    const { id } = unwrap(await commands.run('createTeam', asking, { name }))
    const change = { members, projects: [project.id] }
    unwrap(await commands.run('setTeam', asking, { team: id, change }))
  }
  const change = { rules: OWNERSHIP, codeOwners: CODEOWNERS, isAutoAssigned: true }
  unwrap(await commands.run('setOwnership', asking, { project: project.id, change }))
  for (const [name, query, isShared] of SEARCHES)
    unwrap(await commands.run('createSearch', asking, { name, query, sort: 'date', isShared }))
}

const HOUR_MS = 3_600_000

/** Returns what Rosa did recently. */
export function habitSteps(to: To, nowMs: number): readonly DemoStep[] {
  return [{ atMs: nowMs - 30 * HOUR_MS, run: () => takeOn(to) }]
}

const FOUND = { projects: [FAILING_PROJECT] } as const

async function takeOn({ engine, asking }: To): Promise<void> {
  const selection = { ...FOUND, query: 'error.type:OutOfStockError' }
  const { commands } = engine
  const { userId } = asking.scope
  if (userId === undefined) throw new Error('nobody to assign to')
  const assigned = unwrap(await commands.run('assignIssues', asking, { selection, assignee: userId }))
  unwrap(await commands.run('bookmarkIssues', asking, { selection, isBookmarked: true }))
  const [issue] = assigned
  if (issue === undefined) return
  const text =
    'I’ll ask the warehouse why it sells what it does not have. #checkout, please show how many are left.'
  unwrap(await commands.run('commentIssue', asking, { ref: String(issue), text }))
}
