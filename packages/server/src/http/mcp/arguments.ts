/** Arguments that tools share, each with what an agent is told of it. */
import * as v from 'valibot'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { TimeRange } from '#queries/types.ts'

const PERIODS = ['1d', '7d', '14d', '30d', '90d'] as const
type Period = (typeof PERIODS)[number]

export const ISSUE_ARGUMENT = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(100),
  v.description('Short id such as SHOP-12, or numeric id, of an issue.'),
)

export function textArgument(what: string, charsMax = max('searchCharsMax')) {
  return v.pipe(v.string(), v.maxLength(charsMax), v.description(what))
}

export function period(fallback: Period) {
  const what = `How far back to look; ${fallback} by default.`
  return v.optional(v.pipe(v.picklist(PERIODS), v.description(what)), fallback)
}

/** Events of a client whose clock is a little ahead belong to "until now". */
export function readTimeRange(within: Period, nowMs: number): TimeRange {
  const days = Number.parseInt(within, 10)
  return { startMs: nowMs - days * DAY_MS, endMs: nowMs + max('eventFutureMsMax') }
}

export function wholeArgument(what: string, bounds: { readonly least: number; readonly most: number }) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(bounds.least),
    v.maxValue(bounds.most),
    v.description(what),
  )
}

export const CHARS = v.optional(
  wholeArgument(`Most characters of event text to answer; ${max('agentAnswerChars')} by default.`, {
    least: max('agentAnswerCharsMin'),
    most: max('agentAnswerCharsMax'),
  }),
  max('agentAnswerChars'),
)
