/** Values that a project suggests, taken away again. */
import type { ProjectId } from '#base/ids.ts'
import type { KeptTag, ProjectTags, Tables } from '../tables.ts'

interface Suggestion {
  readonly projectId: ProjectId
  readonly key: string
  readonly value: string
}

/** Takes some events from a value; one without any is suggested no more. `count` left out: takes it whole. */
export function takeSuggestion(
  to: Tables,
  { projectId, key, value, count }: Suggestion & { readonly count?: number },
): void {
  const tags = to.projectTags.get(projectId)
  const kept = tags?.keys.get(key)
  const seen = kept?.values.get(value)
  if (tags === undefined || kept === undefined || seen === undefined) return
  const values = new Map(kept.values)
  if (count === undefined || seen.count <= count) values.delete(value)
  else values.set(value, { ...seen, count: seen.count - count })
  to.projectTags.put(projectId, withKey(tags, key, { ...kept, values }))
}

function withKey(
  tags: ProjectTags,
  key: string,
  kept: KeptTag<{ readonly count: number; readonly lastMs: number }>,
): ProjectTags {
  return { ...tags, keys: new Map(tags.keys).set(key, kept) }
}
