/** Part of grouping version 1. What is remembered of names, apart for each family. */
import { Memo } from '#base/memo.ts'
import { MEMO_LIMITS } from './memo-limits.ts'
import type { Family } from './rules/families.ts'

export type ByFamily<Value> = Readonly<Record<Family, Memo<Value>>>

/** `read` must be pure. */
export function byFamily<Value>(read: (text: string, family: Family) => Value): ByFamily<Value> {
  const memo = (family: Family) => new Memo((text) => read(text, family), MEMO_LIMITS)
  return {
    javascript: memo('javascript'),
    python: memo('python'),
    ruby: memo('ruby'),
    php: memo('php'),
    java: memo('java'),
    go: memo('go'),
    csharp: memo('csharp'),
    native: memo('native'),
    elixir: memo('elixir'),
    perl: memo('perl'),
    lua: memo('lua'),
    dart: memo('dart'),
    other: memo('other'),
  }
}
