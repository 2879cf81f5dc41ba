/** Part of grouping version 1. A row of the rules for the words of engines, and whose sources name them. */

export interface EngineRule {
  readonly what: string
  readonly patterns: readonly RegExp[]
  /** `{name}`: the last part of what the pattern calls so, of a minifier `<name>`; `{prop}`, which minifiers leave, `{of}`. */
  readonly to: string
  /** Error type, if engines have several for it. */
  readonly type?: string
  readonly examples: readonly string[]
  readonly gives: string
  readonly source: string
}

export const ENGINES = 'V8, messages-template.h; SpiderMonkey, js.msg; JavaScriptCore, ExceptionHelpers.cpp'
export const PAGES = 'Blink, exception_messages.cc; Gecko, domerr.msg; WebKit, DOMException.cpp'
export const JSON_TEXTS =
  'V8, messages-template.h; SpiderMonkey, JSONParser.cpp; JavaScriptCore, LiteralParser.cpp'
