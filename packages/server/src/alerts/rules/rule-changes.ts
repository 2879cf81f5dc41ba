/** Rules about alert rules that hold in any store. */
import type { ProjectId } from '#base/ids.ts'
import { refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AlertRule, RuleDraft } from '#model/alert-rule.ts'
import { ruleSentence } from '#model/alert-words.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Actor } from '#ports/scope.ts'
import type { NamedProject, TellingOrg } from './alert-store.ts'
import { countsForItself } from './counted-conditions.ts'
import { messagesOf } from './messages.ts'

const SORTS = { projects: 'project', channels: 'channel', teams: 'team', people: 'member' } as const

export const RULE_REFUSALS = {
  noRule: () => refuse('not_found', 'The rule does not exist.'),
  unknown: (of: keyof typeof SORTS) =>
    refuse('invalid_input', `The rule names a ${SORTS[of]} that does not exist.`, {
      [of === 'projects' ? 'projects' : 'notify']: [`Choose a ${SORTS[of]} of this organisation.`],
    }),
} as const

export function refuseRules(count: number) {
  const most = max('alertRulesPerOrgMax')
  return count < most ? null : refuse('conflict', `An organisation has at most ${most} rules.`)
}

/**
 * Refuses a rule that counts for itself if too many do at one project: each costs every batch of its events.
 *
 * @param others The organisation's, without the one that is changed.
 */
export function refuseCounting(others: readonly RuleDraft[], draft: RuleDraft) {
  if (!draft.isOn || !countsForItself(draft)) return null
  const counting = others.filter((rule) => rule.isOn && countsForItself(rule))
  const ofAll = counting.filter(({ projects }) => projects === null).length
  const byProject = new Map<ProjectId, number>()
  for (const id of counting.flatMap(({ projects }) => [...new Set(projects)]))
    byProject.set(id, (byProject.get(id) ?? 0) + 1)
  const looked = draft.projects ?? [...byProject.keys()]
  const most = max('alertCountingRulesMax')
  if (looked.reduce((busiest, id) => Math.max(busiest, byProject.get(id) ?? 0), 0) + ofAll < most) return null
  return refuse(
    'conflict',
    `A project has at most ${most} metric rules and frequency rules. Delete or turn off one.`,
  )
}

/** Returns what the rule names by id, each once. */
export function namesOfRule({ projects, notify, owner, if: { conditions } }: RuleDraft) {
  const [sort, id] = owner?.split(':') ?? []
  const owns = (of: string) => (sort === of ? [Number(id)] : [])
  const targets = notify.map(({ target }) => target)
  const once = (ids: readonly number[]) => [...new Set(ids)]
  const assignees = conditions.flatMap((one) => (one.is === 'assignee' ? (one.userId ?? []) : []))
  return {
    projects: once(projects ?? []),
    channels: once(targets.flatMap((target) => (target.to === 'channel' ? target.channelId : []))),
    teams: once([
      ...owns('team'),
      ...targets.flatMap((target) => (target.to === 'team' ? target.teamId : [])),
    ]),
    people: once([
      ...owns('user'),
      ...targets.flatMap((target) => (target.to === 'user' ? target.userId : [])),
      ...assignees,
    ]),
  }
}

/** The rule without a receiver that is gone; `null` where it did not have it. */
export function withoutChannel<Draft extends RuleDraft>(rule: Draft, channelId: number): Draft | null {
  const notify = rule.notify.filter(({ target }) => target.to !== 'channel' || target.channelId !== channelId)
  return notify.length === rule.notify.length ? null : { ...rule, notify }
}

/** Whether what was counted so far, or what it is now, is of another question. */
export function countsOtherwise(before: RuleDraft, after: RuleDraft): boolean {
  const question = ({ kind, when, if: given, projects, isOn }: RuleDraft) =>
    JSON.stringify([kind, when, given, projects, isOn])
  return question(before) !== question(after)
}

export function testOf(
  rule: AlertRule,
  { org, project }: { readonly org: TellingOrg; readonly project: NamedProject | null },
  actor: Actor,
): readonly NewMessage[] {
  return messagesOf(rule, org, {
    ...{ firingId: null, project, nowMs: actor.atMs },
    message: {
      ...{
        moment: 'test',
        level: 'info',
        headline: `Test: ${rule.name}`,
        story: `test-${rule.id}-${actor.atMs}`,
      },
      because: `${actor.label} sent a test of “${ruleSentence(rule)}”`,
    },
  })
}
