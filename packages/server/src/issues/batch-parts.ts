/** A batch's parts by what they are to a control store: one case each. */
import type { ProjectId } from '#base/ids.ts'
import type { KindName } from '#model/file-name.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { ControlPart, GroupDelta } from '#ports/ingest.ts'

/** What is added to one group, and of which kind its items are. */
export interface KindDelta {
  readonly kind: KindName
  readonly delta: GroupDelta
}

export interface SplitParts {
  readonly groups: readonly KindDelta[]
  readonly sessions: readonly SessionDelta[]
}

/** Without what belongs to projects that are gone. */
export function splitParts(
  parts: readonly ControlPart[],
  isKnown: (project: ProjectId) => boolean,
): SplitParts {
  const groups: KindDelta[] = []
  const sessions: SessionDelta[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'groups':
        for (const delta of part.groups) if (isKnown(delta.projectId)) groups.push({ kind: part.kind, delta })
        break
      case 'sessions':
        for (const delta of part.sessions) if (isKnown(delta.projectId)) sessions.push(delta)
        break
    }
  }
  return { groups, sessions }
}

export interface PartItems {
  readonly projectId: ProjectId
  readonly quantity: number
  /** When the first of them was received. */
  readonly atMs: number
}

/** How many stored items of which projects a part stands for. */
export function itemsOfPart(part: ControlPart): readonly PartItems[] {
  switch (part.type) {
    case 'groups':
      return part.groups.map(({ projectId, eventCount, firstReceivedMs }) => ({
        ...{ projectId, quantity: eventCount, atMs: firstReceivedMs },
      }))
    case 'sessions':
      return part.sessions.map(({ projectId, receivedMs }) => ({ projectId, quantity: 1, atMs: receivedMs }))
  }
}
