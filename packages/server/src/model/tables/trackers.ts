/** Issue trackers, what is linked in them, and what they are still to be told. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { flag, id, json, oneOf, orNull, ref, table, text, time, whole, withDefault } from './table.ts'

export const TRACKERS = table(
  'trackers',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    kind: text(),
    name: text(),
    // JSON objects, field to value. Secrets are readable, because every call is made with them; never read
    // back.
    settings: json<Readonly<Record<string, string>>>(),
    secrets: json<Readonly<Record<string, string>>>(),
    resolvesHere: flag(),
    closesThere: flag(),
    createdBy: text(),
    createdMs: time(),
    changedMs: time(),
    // When a signed webhook came last.
    heardMs: orNull(time()),
  },
  {
    key: ['id'],
    unique: [['orgId', 'kind', 'name']],
  },
)

export const TRACKER_LINKS = table(
  'tracker_links',
  {
    id: id(),
    issueId: ref<IssueId>('issues'),
    trackerId: ref('trackers'),
    // As the tracker's calls name its issue.
    ref: text(),
    url: text(),
    title: text(),
    state: oneOf('open', 'closed', 'missing'),
    // When the issue changed last, by the tracker's clock.
    remoteMs: orNull(time()),
    checkedMs: time(),
    createdBy: text(),
    createdMs: time(),
  },
  {
    key: ['id'],
    unique: [['issueId', 'trackerId', 'ref']],
    indices: {
      tracker_links_by_ref: { on: ['trackerId', 'ref'] },
    },
  },
)

/** No foreign key to link and issue: they may go, what was closed stays in the log. A refresh is gone once it is settled. */
export const TRACKER_WORK = table(
  'tracker_work',
  {
    id: id(),
    trackerId: ref('trackers'),
    projectId: ref<ProjectId>('projects'),
    linkId: whole(),
    issueId: whole<IssueId>(),
    what: oneOf('close', 'refresh'),
    ref: text(),
    state: oneOf('waiting', 'sending', 'sent', 'failed', 'cancelled'),
    atMs: time(),
    tries: withDefault(0, whole()),
    // While waiting: the next try. While sending: when the lease ends. NULL once settled.
    dueMs: orNull(time()),
    lease: orNull(text()),
    says: orNull(text()),
    settledMs: orNull(time()),
    // JSON array of MessageTry.
    tried: withDefault('[]', json()),
  },
  {
    key: ['id'],
    indices: {
      tracker_work_due: { on: ['dueMs'], where: 'due_ms IS NOT NULL' },
      tracker_work_of_link: { on: ['linkId'], where: 'due_ms IS NOT NULL' },
      tracker_work_of_tracker: { on: ['trackerId', 'id'] },
      tracker_work_by_age: { on: ['atMs'] },
      tracker_work_by_project: { on: ['projectId'] },
    },
  },
)
