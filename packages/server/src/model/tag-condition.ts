/** One condition on a tag, asked of issues by their facets and of events by their rows. */
export interface TagCondition {
  readonly key: string
  readonly value: string | null
  readonly negated: boolean
}
