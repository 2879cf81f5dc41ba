import { keyId, type ProjectId, projectId } from '#base/ids.ts'
import { hashSession, hashSessionPerson } from '#model/user-hash.ts'
import type { SessionCounts, SessionDelta } from '#ports/health.ts'
import { NOW } from './times.ts'

export type SessionState = 'healthy' | 'errored' | 'unhandled' | 'abnormal' | 'crashed'

interface SessionChange {
  readonly projectId?: ProjectId
  /** `null`: nothing tells it apart. */
  readonly id?: string | null
  readonly person?: string | null
  readonly state?: SessionState
  readonly release?: string
  readonly environment?: string
  readonly startedMs?: number
  readonly receivedMs?: number
  /** Counts, for an entry of counted sessions. */
  readonly counts?: SessionCounts
}

/** An update of one session, healthy by default. */
export function aSession(change: SessionChange = {}): SessionDelta {
  const { id = 's', person = null, state = 'healthy', startedMs = NOW } = change
  const none = { sessions: 1, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
  return {
    projectId: change.projectId ?? projectId(1),
    keyId: keyId(1),
    receivedMs: change.receivedMs ?? startedMs,
    release: change.release ?? 'web@1.0.0',
    environment: change.environment ?? 'production',
    startedMs,
    session: id === null ? null : hashSession(id),
    person: person === null ? null : hashSessionPerson(person),
    counts: change.counts ?? (state === 'healthy' ? none : { ...none, [state]: 1 }),
  }
}
