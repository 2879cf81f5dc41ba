/** An entry of an issue's activity in words. Pure. */
import type { Activity } from '#parts/issue-types.ts'
import { commitText, versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { dateText, hourText } from '#ui/time-text.ts'

export interface ActivityWords {
  /** Before the verb: who, or nothing where the issue itself did it. */
  readonly who: string
  readonly verb: string
  readonly rest: string
  readonly tone: 'normal' | 'bad' | 'good'
}

export function activityWords({ kind, actor, detail, userId }: Activity): ActivityWords {
  const who = userId === null && kind !== 'merged' ? '' : actor
  const say = (verb: string, rest = '', tone: ActivityWords['tone'] = 'normal') => ({ who, verb, rest, tone })
  const release = textOf(detail.release)
  const inRelease = release === '' ? '' : `in ${versionOf(release)}`
  switch (kind) {
    case 'first_seen':
      return { ...say('First seen', inRelease), who: '' }
    case 'regressed':
      return { ...say('Regressed', inRelease, 'bad'), who: '' }
    case 'resolved':
      // A tracker has no account either, and a name.
      return {
        ...say('resolved', resolvedText(detail), 'good'),
        who: actor === 'Errata' ? who : actor,
      }
    case 'unresolved':
      return say('unresolved', 'it')
    case 'archived':
      return say('archived', untilText(detail))
    case 'unarchived':
      return userId === null ? { ...say('Unarchived', 'automatically'), who: '' } : say('unarchived', 'it')
    case 'assigned':
      return textOf(detail.rule) === ''
        ? say('assigned', textOf(detail.name) || 'someone')
        : say('Assigned', `to ${textOf(detail.name)} by the ownership rule ${textOf(detail.rule)}`)
    case 'unassigned':
      return say('unassigned', 'it')
    case 'merged': {
      const issues = textOf(detail.issues) || quantityText(Number(detail.count ?? 1), 'issue')
      return detail.by === 'source_maps'
        ? { ...say('Joined', `with ${issues}: same place, according to source maps`), who: '' }
        : say('merged', `${issues} into it${reasonText(detail)}`)
    }
    case 'prioritised':
      return textOf(detail.priority) === ''
        ? say('left', 'the priority to be computed')
        : say('set', `the priority to ${textOf(detail.priority)}`)
    case 'unmerged':
      return say('moved', `${groupsOut(detail)} to ${textOf(detail.issue)}${reasonText(detail)}`)
    case 'split_off':
      return say('moved', `${groupsOut(detail)} here from ${textOf(detail.issue)}${reasonText(detail)}`)
    case 'kept_apart':
      return say('said', `this is not the same failure as ${textOf(detail.issue)}`)
    case 'commented':
      return { ...say('commented'), who: actor }
    case 'comment_deleted': {
      const by = textOf(detail.by)
      return by === ''
        ? { ...say('deleted', 'a comment'), who: actor }
        : { ...say('deleted', `a comment by ${actor}`), who: by }
    }
    case 'linked':
      return { ...say(detail.isNew === true ? 'created' : 'linked', textOf(detail.ref)), who: actor }
    case 'sent': {
      const note = textOf(detail.note)
      return {
        ...say('sent', `it to ${textOf(detail.channel)}${note === '' ? '' : `: “${note}”`}`),
        who: actor,
      }
    }
    case 'unlinked':
      return { ...say('unlinked', textOf(detail.ref)), who: actor }
    case 'escalated': {
      const events = quantityText(Number(detail.events ?? 0), 'event')
      const forecast = numberText(Number(detail.forecast ?? 0))
      return { ...say('Escalated', `with ${events} in an hour, forecast ${forecast}`, 'bad'), who: '' }
    }
  }
}

function resolvedText({ in: how, release, commit }: Activity['detail']): string {
  if (how === 'commit') return `it in commit ${commitText(textOf(commit))}`
  if (how === 'next') return `it in the release after ${versionOf(textOf(release))}`
  return how === 'release' ? `it in ${versionOf(textOf(release))}` : 'it'
}

function untilText({ eventsMore, usersMore, untilMs, escalating }: Activity['detail']): string {
  if (escalating === true) return 'it until it escalates'
  const ends = [
    ...(typeof eventsMore === 'number' ? [`${numberText(eventsMore)} more events`] : []),
    ...(typeof usersMore === 'number' ? [`${numberText(usersMore)} more users`] : []),
    ...(typeof untilMs === 'number' ? [`${dateText(untilMs, 'utc')}, ${hourText(untilMs, 'utc')} UTC`] : []),
  ]
  return ends.length === 0 ? 'it' : `it until ${ends.join(' or ')}`
}

function groupsOut({ count }: Activity['detail']): string {
  return quantityText(Number(count ?? 1), 'group')
}

function reasonText({ reason }: Activity['detail']): string {
  return textOf(reason) === '' ? '' : `: “${textOf(reason)}”`
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
