/** Reads lines of ownership rules and `CODEOWNERS`: problems, names, paths. */
import { max } from '#limits/limits.ts'
import type { OwnerName, OwnershipProblem, OwnershipRule } from '#ports/ownership.ts'

export interface ParsedOwnership {
  readonly rules: readonly OwnershipRule[]
  readonly problems: readonly OwnershipProblem[]
}

/** Notes what is wrong with the line; `null`, so that a line may end with it. */
type ReadLine = (line: string, problem: (says: string) => null) => Omit<OwnershipRule, 'line'> | null

/** Reads every line, whatever is wrong with those before it; at most `PROBLEMS_MAX` are said. */
export function parseLines(text: string, read: ReadLine): ParsedOwnership {
  const rules: OwnershipRule[] = []
  const problems: OwnershipProblem[] = []
  let isFull = false
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const problem = (says: string) => {
      if (problems.length < PROBLEMS_MAX) problems.push({ line: index + 1, says })
      return null
    }
    if (line.length > max('ownershipLineCharsMax')) {
      problem(`A line has at most ${max('ownershipLineCharsMax')} characters.`)
      continue
    }
    const found = read(line, problem)
    if (found === null) continue
    if (found.pattern === '' || found.pattern.length > max('ownershipPatternCharsMax'))
      problem(`A pattern has 1 to ${max('ownershipPatternCharsMax')} characters.`)
    else if (rules.length < max('ownershipRulesMax')) rules.push({ ...found, line: index + 1 })
    else if (!isFull) {
      isFull = true
      problem(`At most ${max('ownershipRulesMax')} rules: this one and the rules below it are ignored.`)
    }
  }
  return { rules, problems }
}

const PROBLEMS_MAX = 200

export function ownerOf(name: string): OwnerName | null {
  if (/^#[^\s#@]+$/.test(name)) return { by: 'team', name: name.slice(1).toLowerCase() }
  if (/^@[^\s@]+$/.test(name)) return { by: 'mention', name: name.slice(1).toLowerCase() }
  return /^[^\s@#]+@[^\s@]+$/.test(name) ? { by: 'email', name: name.toLowerCase() } : null
}

export function wrongOwner(name: string): string {
  return `“${name.slice(0, 60)}” is neither “#team”, “@name” nor an email.`
}

export const TEXT_CHARS_MAX = 1_024

/** Without what builds put before it: `webpack://shop/./src/a.ts?x` is `src/a.ts`. */
export function sourcePath(path: string): string {
  const bounded = path.slice(0, TEXT_CHARS_MAX)
  const bare = bounded.replace(
    /^(?:webpack|webpack-internal|app|turbopack|file|https?):\/\/(?:\/|[^/]*\/)?/i,
    '',
  )
  return bare
    .replace(/[?#][\s\S]*$/, '')
    .split(/[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/')
}
