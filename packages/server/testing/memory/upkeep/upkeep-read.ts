/** The store looked at as a whole: do its own numbers agree, and where does it say events are? */
import { isSameFile } from '#model/file-name.ts'
import type { UpkeepRead } from '#ports/upkeep.ts'
import { sumOver } from '../rows/issue-view.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { fileNameOf, groupsAfter } from './retention.ts'

export function upkeepRead(of: Tables): UpkeepRead {
  return {
    groupStates: async (afterId, limit) =>
      groupsAfter(of, afterId, limit).groups.map(
        ({ id, projectId, hash, eventCount, payloadCount, files }) => ({
          ...{ id, projectId, hash, eventCount, payloadCount },
          files: files.map(fileNameOf),
        }),
      ),
    groupCounts: async (file, afterId, limit) => {
      const { groups, last } = groupsAfter(of, afterId, limit)
      const counts = groups.flatMap(({ projectId, hash, files }) =>
        files
          .filter((one) => isSameFile(fileNameOf(one), file))
          .map(({ holds }) => ({ projectId, hash, events: holds?.events ?? null })),
      )
      return { groups: counts, last }
    },
    // An issue's numbers are sums that are taken when they are asked for: they cannot differ from its groups'.
    contradictions: async (limit) => {
      const owners = new Set(of.groups.all().map(({ issueId }) => issueId))
      const empty = of.issues.where(({ id }) => !owners.has(id)).map(({ id }) => `issue ${id} owns no group`)
      return [...empty, ...of.groups.all().flatMap((group) => contradictionsOf(of, group))].slice(0, limit)
    },
  }
}

function contradictionsOf(of: Tables, group: GroupRow): readonly string[] {
  const { id, issueId, eventCount, payloadCount, hours } = group
  const inHours = sumOver([...hours.values()], (count) => count)
  return [
    ...(of.issues.has(issueId) ? [] : [`group ${id} names issue ${issueId}, which is gone`]),
    ...(eventCount < 0 ? [`group ${id} counts ${eventCount} events`] : []),
    ...(payloadCount > eventCount
      ? [`group ${id} counts ${payloadCount} payloads of ${eventCount} events`]
      : []),
    ...(inHours > eventCount ? [`group ${id} counts ${eventCount} events, its hours ${inHours}`] : []),
  ]
}
