/** An entry of an issue's activity in words. Pure. */

import type { Activity } from '#parts/issue-types.ts'
import { commitText, versionOf } from '#parts/release-text.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { dateText, hourText } from '#ui/time-text.ts'
import { scalarText } from './value-text.ts'

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
  const release = scalarText(detail.release)
  const inRelease = release === '' ? '' : `in ${versionOf(release)}`
  switch (kind) {
    case 'first_seen':
      return { ...say('First seen', inRelease), who: '' }
    case 'regressed':
      return { ...say('Regressed', inRelease, 'bad'), who: '' }
    case 'resolved':
      // A tracker has no account either, and a name.
      return {
        ...say('resolved', resolvedActivityText(detail), 'good'),
        who: actor === 'Errata' ? who : actor,
      }
    case 'unresolved':
      return say('unresolved', 'it')
    case 'archived':
      return say('archived', archivedUntilText(detail))
    case 'unarchived':
      return userId === null ? { ...say('Unarchived', 'automatically'), who: '' } : say('unarchived', 'it')
    case 'assigned':
      return scalarText(detail.rule) === ''
        ? say('assigned', scalarText(detail.name) || 'someone')
        : say('Assigned', `to ${scalarText(detail.name)} by the ownership rule ${scalarText(detail.rule)}`)
    case 'unassigned':
      return say('unassigned', 'it')
    case 'merged': {
      const issues = scalarText(detail.issues) || quantityText(Number(detail.count ?? 1), 'issue')
      return detail.by === 'source_maps'
        ? { ...say('Joined', `with ${issues}: same place, according to source maps`), who: '' }
        : say('merged', `${issues} into it${reasonText(detail)}`)
    }
    case 'prioritised':
      return scalarText(detail.priority) === ''
        ? say('left', 'the priority to be computed')
        : say('set', `the priority to ${scalarText(detail.priority)}`)
    case 'unmerged':
      return say('moved', `${groupsOut(detail)} to ${scalarText(detail.issue)}${reasonText(detail)}`)
    case 'split_off':
      return say('moved', `${groupsOut(detail)} here from ${scalarText(detail.issue)}${reasonText(detail)}`)
    case 'kept_apart':
      return say('said', `this is not the same failure as ${scalarText(detail.issue)}`)
    case 'commented':
      return { ...say('commented'), who: actor }
    case 'comment_deleted': {
      const by = scalarText(detail.by)
      return by === ''
        ? { ...say('deleted', 'a comment'), who: actor }
        : { ...say('deleted', `a comment by ${actor}`), who: by }
    }
    case 'linked':
      return { ...say(detail.isNew === true ? 'created' : 'linked', scalarText(detail.ref)), who: actor }
    case 'sent': {
      const note = scalarText(detail.note)
      return {
        ...say('sent', `it to ${scalarText(detail.channel)}${note === '' ? '' : `: “${note}”`}`),
        who: actor,
      }
    }
    case 'unlinked':
      return { ...say('unlinked', scalarText(detail.ref)), who: actor }
    case 'escalated': {
      const events = quantityText(Number(detail.events ?? 0), 'event')
      const forecast = numberText(Number(detail.forecast ?? 0))
      return { ...say('Escalated', `with ${events} in an hour, forecast ${forecast}`, 'bad'), who: '' }
    }
  }
}

function resolvedActivityText({ in: how, release, commit }: Activity['detail']): string {
  if (how === 'commit') return `it in commit ${commitText(scalarText(commit))}`
  if (how === 'next') return `it in the release after ${versionOf(scalarText(release))}`
  return how === 'release' ? `it in ${versionOf(scalarText(release))}` : 'it'
}

function archivedUntilText({ eventsMore, usersMore, untilMs, escalating }: Activity['detail']): string {
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
  return scalarText(reason) === '' ? '' : `: “${scalarText(reason)}”`
}
