/** Projects that a batch names, read once for all of its stages. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { itemsOfPart } from '#issues/batch-parts.ts'
import type { IssueCounter } from '#issues/new-issue.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import type { Connection } from './connection.ts'

export interface BatchProject {
  readonly orgId: OrgId
  /** Nothing was stored of it yet. */
  readonly isSilent: boolean
  /** It has rules that say whose an issue is. */
  readonly hasOwnership: boolean
  readonly counter: IssueCounter
}

/** Projects of a batch that are not gone. */
export type BatchProjects = ReadonlyMap<ProjectId, BatchProject>

export function readBatchProjects(db: Connection, batch: ControlBatch): BatchProjects {
  const named = new Set<ProjectId>()
  for (const part of batch.parts) for (const { projectId } of itemsOfPart(part)) named.add(projectId)
  for (const { projectId } of batch.outcomes) if (projectId !== null) named.add(projectId)
  for (const { projectId } of batch.quarantined) named.add(projectId)
  if (named.size === 0) return new Map()
  const sql = `SELECT id, org_id AS orgId, first_event_ms IS NULL AS isSilent, issue_counter AS number,
      new_issues_hour AS hour, new_issues AS events,
      EXISTS (SELECT 1 FROM project_ownership o WHERE o.project_id = p.id) AS hasOwnership
    FROM projects p WHERE id IN (SELECT value FROM json_each(?))`
  const rows = db.all<ProjectRow>(sql, [JSON.stringify([...named])])
  return new Map(
    rows.map(({ id, orgId, isSilent, hasOwnership, number, hour, events }) => {
      const counter = { number, begun: { hour, events } }
      return [id, { orgId, isSilent: isSilent === 1, hasOwnership: hasOwnership === 1, counter }]
    }),
  )
}

export function orgsOf(projects: BatchProjects): ReadonlyMap<ProjectId, OrgId> {
  return new Map([...projects].map(([id, { orgId }]) => [id, orgId]))
}

interface ProjectRow {
  readonly id: ProjectId
  readonly orgId: OrgId
  readonly isSilent: number
  readonly hasOwnership: number
  readonly number: number
  readonly hour: number
  readonly events: number
}
