/** A `CODEOWNERS` file as it is asked: its sections, each compiled once, and what was answered. */
import { max } from '#limits/limits.ts'
import { repositoryPath } from '#model/code-mapping.ts'
import type { StepBudget } from '#model/step-budget.ts'
import type { OwnershipFacts, OwnershipRule } from '#ports/ownership.ts'
import { sourcePath } from './line.ts'
import { segmentsOfPath } from './path-pattern.ts'
import { PathTrie } from './path-trie.ts'

interface Section {
  readonly rules: readonly OwnershipRule[]
  readonly entries: PathTrie
  readonly exclusions: PathTrie
}

export class FileEntries {
  /** The last section first. */
  readonly #sections: readonly Section[]
  readonly #known = new Map<string, readonly OwnershipRule[]>()

  constructor(rules: readonly OwnershipRule[]) {
    const sections = Map.groupBy(rules, ({ file }) => file?.section ?? '')
    this.#sections = [...sections.values()].toReversed().map(compileSection)
  }

  /**
   * The entries that say who owns what failed: of each path, the nearest to the failure first, the last that holds in
   * each section, the last section first. Ends where the budget does, with the paths that were asked of to their end.
   */
  *thatHold(
    { paths, codeMappings }: Pick<OwnershipFacts, 'paths' | 'codeMappings'>,
    budget: StepBudget,
  ): Generator<OwnershipRule> {
    if (this.#sections.length === 0) return
    const told = new Set<OwnershipRule>()
    for (const written of paths.slice(0, max('ownershipPathsMax'))) {
      const found = this.#ofPath(sourcePath(repositoryPath(codeMappings, written)), budget)
      if (found === null) return
      for (const rule of found) {
        if (told.has(rule)) continue
        told.add(rule)
        yield rule
      }
    }
  }

  /** `null`: the budget is used up. */
  #ofPath(path: string, budget: StepBudget): readonly OwnershipRule[] | null {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const segments = segmentsOfPath(path)
    const found: OwnershipRule[] = []
    for (const { rules, entries, exclusions } of this.#sections) {
      const isExcluded = exclusions.find(segments, budget) !== null
      const rule = isExcluded ? undefined : rules[entries.find(segments, budget) ?? -1]
      if (budget.isSpent) return null
      if (rule !== undefined) found.push(rule)
    }
    if (this.#known.size >= max('ownershipKeptMax')) this.#known.clear()
    this.#known.set(path, found)
    return found
  }
}

function compileSection(rules: readonly OwnershipRule[]): Section {
  const section = { rules, entries: new PathTrie(), exclusions: new PathTrie() }
  for (const [index, { file }] of rules.entries())
    section[file?.excludes === true ? 'exclusions' : 'entries'].add(file?.segments ?? [], index)
  return section
}
