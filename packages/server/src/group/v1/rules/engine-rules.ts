/**
 * Part of grouping version 1. One failure in the words of V8, SpiderMonkey and JavaScriptCore. What a wording says of the
 * program stays, such as the property that was read; `$<name>` is a name of the program where the engine tells it.
 *
 * Patterns are anchored and linear; texts are cut before.
 */

import type { EngineRule } from './engine-rule.ts'
import { PAGE_RULES } from './page-rules.ts'
import { READ_RULES } from './read-rules.ts'
import { VALUE_RULES } from './value-rules.ts'

/** Texts are given to the rules for these types alone. */
export const ENGINE_TYPES: ReadonlySet<string> = new Set([
  ...['Error', 'TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'InternalError', 'URIError'],
  ...['UnhandledRejection', 'QuotaExceededError', 'NotFoundError', 'SecurityError', 'DataCloneError'],
  ...['InvalidCharacterError', 'AbortError', 'TimeoutError', 'ErrorEvent'],
  ...['NS_ERROR_DOM_QUOTA_REACHED', 'NS_ERROR_OUT_OF_MEMORY', 'NS_ERROR_FAILURE', 'NS_ERROR_DOM_BAD_URI'],
])

/** The first that fits says it. */
export const ENGINE_RULES: readonly EngineRule[] = [...READ_RULES, ...VALUE_RULES, ...PAGE_RULES]
