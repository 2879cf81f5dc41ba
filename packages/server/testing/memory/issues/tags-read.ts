/** Tags as counted: of one issue, and over projects for suggestions. */
import { type BoundMet, type IssuesRead, type TagDistribution, UNCOUNTED_TAG_KEYS } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import { ascending, descending, inOrder } from '../order.ts'
import { sumOver } from '../rows/issue-view.ts'
import { readableProjects } from '../rows/readable.ts'
import { readableGroups } from '../rows/readable-issues.ts'
import type { GroupRow, ProjectTags, Tables, TagValue } from '../tables.ts'

type TagsRead = Pick<
  IssuesRead,
  | 'tags'
  | 'tagsBeyond'
  | 'tagCount'
  | 'boundsMet'
  | 'facetValues'
  | 'facetKeys'
  | 'facetKeyCounts'
  | 'facetsLack'
>

export function tagsRead(of: Tables): TagsRead {
  return {
    tags: async (scope, id, limitValues) => {
      const groups = readableGroups(of, scope, id)
      const keys = new Set(groups.flatMap(({ tags }) => [...tags.keys.keys()]))
      return [...keys].sort().map((key) => distribution(groups, key, limitValues))
    },
    tagsBeyond: async (scope, id) => {
      const groups = readableGroups(of, scope, id)
      const isFull = groups.some(({ tags }) => tags.isFull)
      return { isFull, tags: sumOver(groups, ({ tags }) => tags.beyond) }
    },
    tagCount: async (scope, id, { key, value }) => {
      const groups = readableGroups(of, scope, id)
      // A group that counts some values as other, or left keys out, does not know how often this one came.
      if (UNCOUNTED_TAG_KEYS.has(key) || groups.some((group) => lacks(group, key))) return null
      return {
        events: sumOver(groups, ({ eventCount }) => eventCount),
        matching: sumOver(groups, ({ tags }) => tags.keys.get(key)?.values.get(value)?.count ?? 0),
      }
    },
    facetsLack: async (scope, key) => {
      const readable = readableProjects(of, scope)
      const isLacking = (group: GroupRow) => readable.has(group.projectId) && lacks(group, key)
      return UNCOUNTED_TAG_KEYS.has(key) || of.groups.find(isLacking) !== undefined
    },
    ...projectTagsRead(of),
  }
}

function lacks({ tags }: GroupRow, key: string): boolean {
  const kept = tags.keys.get(key)
  return (kept?.other ?? 0) > 0 || (tags.isFull && (kept?.values.size ?? 0) === 0)
}

function distribution(groups: readonly GroupRow[], key: string, limit: number): TagDistribution {
  const values = new Map<string, TagValue>()
  let otherCount = 0
  for (const { tags } of groups) {
    const kept = tags.keys.get(key)
    otherCount += kept?.other ?? 0
    for (const [value, { count, firstMs, lastMs }] of kept?.values ?? []) {
      const before = values.get(value)
      values.set(value, {
        count: count + (before?.count ?? 0),
        firstMs: Math.min(firstMs, before?.firstMs ?? firstMs),
        lastMs: Math.max(lastMs, before?.lastMs ?? lastMs),
      })
    }
  }
  const ordered = [...values]
    .map(([value, { count, firstMs, lastMs }]) => ({
      value,
      count,
      firstSeenMs: firstMs,
      lastSeenMs: lastMs,
    }))
    .sort(
      inOrder(
        descending(({ count }) => count),
        descending(({ lastSeenMs }) => lastSeenMs),
        ascending(({ value }) => value),
      ),
    )
  const total = otherCount + sumOver(ordered, ({ count }) => count)
  return { key, total, otherCount, valuesKept: ordered.length, values: ordered.slice(0, limit) }
}

function projectTagsRead(
  of: Tables,
): Pick<TagsRead, 'boundsMet' | 'facetValues' | 'facetKeys' | 'facetKeyCounts'> {
  return {
    boundsMet: async (scope, { projects, key, limit }) => {
      const readable = readableProjects(of, scope, projects)
      const bounds = [...readable]
        .flatMap((projectId) => {
          const tags = of.projectTags.get(projectId)
          return tags === undefined ? [] : boundsOf(tags).map((bound) => ({ projectId, ...bound }))
        })
        .filter((bound) => bound.otherCount > 0 && (key === null || bound.key === key))
        .sort(
          inOrder(
            descending(({ otherCount }) => otherCount),
            ascending(({ projectId }) => projectId),
          ),
        )
      const otherCount = sumOver(bounds, (bound) => bound.otherCount)
      return { bounds: bounds.slice(0, limit), total: bounds.length, otherCount }
    },
    facetValues: async (scope, key, prefix, limit) => {
      const counts = new Map<string, number>()
      for (const { keys } of tagsOfScope(of, scope)) {
        for (const [value, { count }] of keys.get(key)?.values ?? [])
          if (value.startsWith(prefix)) counts.set(value, count + (counts.get(value) ?? 0))
      }
      const ordered = [...counts].sort(
        inOrder(
          descending(([, count]) => count),
          ascending(([value]) => value),
        ),
      )
      return ordered.slice(0, limit).map(([value, count]) => ({ value, count }))
    },
    facetKeyCounts: async (scope, keys) => {
      const carried = keys.toSorted().map((key) => {
        const kept = tagsOfScope(of, scope).flatMap((tags) => tags.keys.get(key) ?? [])
        const ofValues = kept.flatMap(({ values }) => [...values.values()])
        const count = sumOver(kept, ({ other }) => other) + sumOver(ofValues, (value) => value.count)
        return { value: key, count }
      })
      return carried.filter(({ count }) => count > 0)
    },
    facetKeys: async (scope, prefix, limit) => {
      const keys = new Set(tagsOfScope(of, scope).flatMap((tags) => [...tags.keys.keys()]))
      return [...keys]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .slice(0, limit)
    },
  }
}

function boundsOf({ keys, beyond }: ProjectTags): readonly Omit<BoundMet, 'projectId'>[] {
  const ofKeys = [...keys].map(([key, { other }]) => ({ key, otherCount: other }))
  return [{ key: null, otherCount: beyond }, ...ofKeys]
}

function tagsOfScope(of: Tables, scope: ReadScope): readonly ProjectTags[] {
  return [...readableProjects(of, scope)].flatMap((id) => of.projectTags.get(id) ?? [])
}
