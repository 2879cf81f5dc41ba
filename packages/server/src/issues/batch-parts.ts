/** A batch's parts by what they are to a control store: one case each. */
import type { ProjectId } from '#base/ids.ts'
import type { KindName } from '#model/file-name.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { ControlPart, GroupDelta } from '#ports/ingest.ts'
import type { FailureSeen, RequestsPart } from '#ports/requests.ts'
import type { StaleClickSeen } from '#ports/skew.ts'

/** Additions to one group, with the kind of its items. */
export interface KindDelta {
  readonly kind: KindName
  readonly delta: GroupDelta
}

export interface SplitParts {
  readonly groups: readonly KindDelta[]
  readonly sessions: readonly SessionDelta[]
  readonly failures: readonly FailureSeen[]
  readonly stale: readonly StaleClickSeen[]
  readonly attachments: readonly StoredAttachment[]
  /** Requests as they came; the writer asks which projects are known. */
  readonly requests: readonly RequestsPart[]
}

/** Without what belongs to projects that are gone. */
export function splitParts(
  parts: readonly ControlPart[],
  isKnown: (project: ProjectId) => boolean,
): SplitParts {
  const groups: KindDelta[] = []
  const sessions: SessionDelta[] = []
  const requests: RequestsPart[] = []
  const failures: FailureSeen[] = []
  const stale: StaleClickSeen[] = []
  const attachments: StoredAttachment[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'groups':
        for (const delta of part.groups) if (isKnown(delta.projectId)) groups.push({ kind: part.kind, delta })
        for (const failure of part.failures) if (isKnown(failure.projectId)) failures.push(failure)
        for (const seen of part.stale) if (isKnown(seen.projectId)) stale.push(seen)
        break
      case 'sessions':
        for (const delta of part.sessions) if (isKnown(delta.projectId)) sessions.push(delta)
        break
      case 'attachments':
        for (const one of part.attachments) if (isKnown(one.projectId)) attachments.push(one)
        break
      case 'requests':
        requests.push(part)
        for (const seen of part.stale) if (isKnown(seen.projectId)) stale.push(seen)
        break
    }
  }
  return { groups, sessions, requests, failures, stale, attachments }
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
    case 'attachments':
      return part.attachments.map(({ projectId, receivedMs: atMs }) => ({ projectId, quantity: 1, atMs }))
    case 'requests':
      // What was accepted says how many items there were; these say whose they are.
      return [
        ...[...part.segments, ...part.vitals, ...part.costs],
        ...[...part.stale, ...part.actionNames, ...part.hints],
      ].map(({ projectId }) => ({ projectId, quantity: 0, atMs: 0 }))
  }
}
