/**
 * Part of grouping version 1. What compilers, bundlers and runtimes put into the names of functions, classes and types,
 * and what is left of it. By their own naming rules, not by examples. Rows of a family go from top to bottom, each over what
 * the one before left.
 */
import type { Family } from './families.ts'
import { DART, ELIXIR, OTHER } from './names/beam-and-dart.ts'
import { CSHARP } from './names/dotnet.ts'
import { JAVASCRIPT } from './names/javascript.ts'
import { JAVA } from './names/jvm.ts'
import type { NameRules } from './names/name-rule.ts'
import { GO, NATIVE } from './names/native.ts'
import { LUA, PERL, PHP, PYTHON, RUBY } from './names/scripting.ts'

export const NAME_RULES: Readonly<Record<Family, NameRules>> = {
  javascript: JAVASCRIPT,
  python: PYTHON,
  ruby: RUBY,
  php: PHP,
  java: JAVA,
  go: GO,
  csharp: CSHARP,
  native: NATIVE,
  elixir: ELIXIR,
  perl: PERL,
  lua: LUA,
  dart: DART,
  other: OTHER,
}

/** Applies a family's rows for functions, or for classes, to a name. */
export function withoutGenerated(name: string, family: Family, of: 'function' | 'class'): string {
  let left = name
  for (const rule of NAME_RULES[family]) {
    if (rule.of === of || rule.of === 'both') left = left.replace(rule.pattern, rule.to)
  }
  return left
}
