/** How a condition compares the values of a tag. */
import type { RuleCondition } from '#model/alert-rule.ts'

/**
 * Tests a comparison: of several values any will do, or none if negated. Ignores case, as tools for Sentry
 * do.
 */
export function tagComparison({
  how,
  value,
}: Pick<Extract<RuleCondition, { readonly is: 'tag' }>, 'how' | 'value'>): {
  readonly isNegated: boolean
  readonly holds: (value: string) => boolean
} {
  const wanted = value.toLowerCase()
  switch (how) {
    case 'is':
    case 'is not':
      return { isNegated: how === 'is not', holds: (one) => one.toLowerCase() === wanted }
    case 'contains':
    case 'does not contain':
      return { isNegated: how !== 'contains', holds: (one) => one.toLowerCase().includes(wanted) }
    case 'starts with':
    case 'does not start with':
      return { isNegated: how !== 'starts with', holds: (one) => one.toLowerCase().startsWith(wanted) }
    case 'ends with':
    case 'does not end with':
      return { isNegated: how !== 'ends with', holds: (one) => one.toLowerCase().endsWith(wanted) }
    case 'is set':
    case 'is not set':
      return { isNegated: how === 'is not set', holds: () => true }
  }
}
