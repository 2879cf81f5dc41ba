/** Rules and `CODEOWNERS` of a project as events are asked of them: compiled once for a text. */
import { Memo } from '#base/memo.ts'
import { max } from '#limits/limits.ts'
import type { StepBudget } from '#model/step-budget.ts'
import type { Ownership, OwnershipFacts, OwnershipRule } from '#ports/ownership.ts'
import { parseCodeOwners } from './code-owners.ts'
import { FileEntries } from './file-entries.ts'
import { type CompiledRule, compileRules, parseRules, rulesThatHold } from './rules.ts'

type OwnershipTexts = Pick<Ownership, 'rules' | 'codeOwners'>

export class CompiledOwnership {
  readonly #rules: readonly CompiledRule[]
  readonly #file: FileEntries

  constructor(rules: readonly CompiledRule[], file: FileEntries) {
    this.#rules = rules
    this.#file = file
  }

  /** Yields matching rules of both texts, `CODEOWNERS` last. */
  *thatHold(facts: OwnershipFacts, budget: StepBudget): Generator<OwnershipRule> {
    yield* rulesThatHold(this.#rules, facts, budget)
    if (!budget.isSpent) yield* this.#file.thatHold(facts, budget)
  }
}

/** Keeps what was compiled last. `null` where a project says nothing. */
export class OwnershipCompiler {
  readonly #rules = new Memo((text) => compileRules(parseRules(text).rules), limitsOf('ownershipCharsMax'))
  readonly #files = new Memo(
    (text) => new FileEntries(parseCodeOwners(text).rules),
    limitsOf('codeOwnersCharsMax'),
  )

  compile({ rules, codeOwners }: OwnershipTexts): CompiledOwnership | null {
    if (rules === '' && codeOwners === '') return null
    return new CompiledOwnership(this.#rules.of(rules), this.#files.of(codeOwners))
  }
}

function limitsOf(chars: 'ownershipCharsMax' | 'codeOwnersCharsMax') {
  return { entriesMax: max('ownershipCompiledMax'), charsMax: max(chars) }
}
