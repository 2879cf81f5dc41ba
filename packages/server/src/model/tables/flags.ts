/** Changes of feature flags. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { id, oneOf, orNull, ref, table, text, time } from './table.ts'

export const FLAG_CHANGES = table(
  'flag_changes',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    // NULL: of a flag that all projects have.
    projectId: orNull(ref<ProjectId>('projects')),
    flag: text(),
    action: oneOf('created', 'updated', 'deleted'),
    atMs: time(),
    // As the teller names them: an email, an id or a name.
    author: orNull(text()),
    authorType: orNull(text()),
    // The teller's own: what it tells twice is stored once.
    changeId: text(),
    createdMs: time(),
  },
  {
    key: ['id'],
    unique: [['orgId', 'changeId']],
    indices: {
      flag_changes_by_time: { on: ['orgId', 'atMs'] },
      flag_changes_by_project: { on: ['projectId'], where: 'project_id IS NOT NULL' },
    },
  },
)
