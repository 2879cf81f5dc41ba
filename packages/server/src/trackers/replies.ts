/** Reads trackers' answers. */
import { isObject, parseJsonOrNull } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { attemptOf, type CallAnswer } from '#notices/channels/guarded-call.ts'
import type { RemoteIssue } from '#ports/trackers.ts'
import type { TrackerReply } from './tracker-type.ts'

type Fields = Readonly<Record<string, unknown>>

/** The body of an answer that says yes; otherwise what became of the call. */
export function readTrackerAnswer(answer: CallAnswer): Fields | TrackerReply {
  const body = answer.isAnswered ? parseJsonOrNull(answer.body) : null
  const attempt = attemptOf(answer, answer.isAnswered ? wordsOf(body) : '')
  if (attempt.outcome !== 'sent') return { attempt }
  // Nothing was asked: the sample organisation calls nobody.
  if (!answer.isAnswered) return { attempt: { outcome: 'refused', says: attempt.says } }
  return isObject(body) ? body : UNREADABLE
}

export const UNREADABLE: TrackerReply = {
  attempt: {
    outcome: 'refused',
    says: 'Its answer isn’t what this service answers. Check the server’s address.',
  },
}

export function isReply(answer: Fields | TrackerReply): answer is TrackerReply {
  return isObject(answer.attempt) && 'outcome' in answer.attempt
}

/** True if a read's answer says that there is no such issue, or that it is hidden from us. */
export function isMissing(answer: CallAnswer): boolean {
  return answer.isAnswered && (answer.status === 404 || answer.status === 410)
}

export const MISSING: TrackerReply = {
  attempt: { outcome: 'sent', says: 'There is no such issue, or the token has no access to it.' },
  remote: 'missing',
}

export function foundReply(remote: RemoteIssue | null, says: string): TrackerReply {
  return remote === null ? UNREADABLE : { attempt: { outcome: 'sent', says }, remote }
}

/** The service's own words about a mistake. */
function wordsOf(body: unknown): string {
  if (!isObject(body)) return ''
  const { message, error, errorMessages, errors } = body
  const texts = [message, error, ...listOf(errorMessages), ...listOf(errors), ...valuesOf(errors)]
  const words = texts.flatMap((one) => (typeof one === 'string' ? [one] : messageOf(one)))
  return [...new Set(words)].join(' ').replaceAll(/\s+/g, ' ').slice(0, 300)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function valuesOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value) : []
}

function messageOf(one: unknown): readonly string[] {
  return isObject(one) && typeof one.message === 'string' ? [one.message] : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function readTitle(value: unknown): string {
  return textOf(value).replaceAll(/\s+/g, ' ').trim().slice(0, max('trackerTitleCharsMax'))
}

/** Reads an issue's number, which is at least 1. */
export function numberOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null
}

/** Reads a time of a tracker's answer, in milliseconds since 1970 UTC. `null` for what is no time. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
