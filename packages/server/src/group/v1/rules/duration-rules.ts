/** Part of grouping version 1. Spans of time, as languages and people write them. */
import { row, type TextRule } from './text-rule.ts'
import { DIGIT_TRAIT } from './text-traits.ts'

export const DURATION_RULES: readonly TextRule[] = [
  row(
    DIGIT_TRAIT,
    'duration of several units',
    /(?<![\w.])(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s|µs|us|ns)){2,5}(?!\w)/g,
    '<duration>',
    'took 1m30.5s',
    'took <duration>',
    'Go, time.Duration',
  ),
  row(
    DIGIT_TRAIT,
    'duration by ISO 8601',
    /(?<!\w)P(?=[\dT])(?:\d{1,9}[YMWD]){0,4}(?:T(?:\d{1,9}(?:\.\d{1,9})?[HMS]){1,3})?(?!\w)/g,
    '<duration>',
    'took PT1H30M',
    'took <duration>',
    'ISO 8601; java.time.Duration',
  ),
  row(
    DIGIT_TRAIT,
    'duration',
    /(?<![\w.])\d{1,12}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|milliseconds?|s|m|h)(?!\w)/g,
    '<duration>',
    'timeout of 1200ms exceeded',
    'timeout of <duration> exceeded',
    'Go, time.Duration; people',
  ),
]
