/** Sets who owns which code of a project. */
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { changesOwnership, ownershipProblems } from '#issues/ownership/owners.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_REFUSALS, refuseUnseen } from '#model/project-rules.ts'
import { PROJECT_OWNERSHIP, PROJECTS } from '#model/tables/projects.ts'
import { NO_OWNERSHIP, type OwnershipChange } from '#ports/ownership.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { ownerDirectory } from '#queries/ownership.ts'
import type { Asking } from './asking.ts'
import { changeFound } from './change-found.ts'
import { preparedCommand } from './command.ts'
import type { CommandParts } from './parts.ts'

type Asked = {
  readonly project: ProjectId
  readonly change: OwnershipChange
  /** `changedMs`: the texts are too long to send twice. */
  readonly seen?: SeenSettings | undefined
}

/**
 * Rules must be whole and name who is there, though people and teams come and go; of `CODEOWNERS` what is not understood,
 * or nobody, is left out.
 */
export const setOwnership = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (asked: Asked) => ok(asked),
  prepare: checkedOwnership,
  change: (tx, { project, change, seen }: Asked, by) =>
    changeFound(tx, by, {
      find: tx.rows(PROJECTS).one({ id: project, orgId: by.scope.orgId }),
      missing: PROJECT_REFUSALS.noProject,
      change: async ({ name: target }) => {
        const rows = tx.rows(PROJECT_OWNERSHIP)
        const before = await rows.one({ projectId: project })
        const unseen = refuseUnseen(before ?? NO_OWNERSHIP, seen)
        if (unseen !== null) return unseen
        const after = { ...(before ?? NO_OWNERSHIP), ...change }
        if (!changesOwnership(before ?? NO_OWNERSHIP, change)) return null
        const { rules, codeOwners, isAutoAssigned, assignsSuspects } = after
        const changedMs = Math.floor(by.actor.atMs)
        const said = { rules, codeOwners, isAutoAssigned, assignsSuspects, cutIssues: 0, cutMs: null }
        const createdMs = before?.createdMs ?? changedMs
        await rows.merge([{ ...said, projectId: project, createdMs, changedMs }])
        return { action: 'ownership.changed', target }
      },
    }),
})

async function checkedOwnership(
  parts: Pick<CommandParts, 'accounts' | 'projects'>,
  { scope }: Asking,
  asked: Asked,
): Promise<Result<Asked>> {
  const { change } = asked
  const found = await parts.projects.project(scope, String(asked.project))
  if (found === null) return refuse('not_found', 'There is no such project.')
  const tooLong = longText(change)
  if (tooLong !== null) return tooLong
  if (change.rules !== undefined) {
    const directory = await ownerDirectory(parts.accounts, scope, found)
    const wrong = ownershipProblems(change.rules, 'rules', directory)
    if (wrong.length > 0) {
      const says = wrong.map(({ line, says: what }) => `Line ${line}: ${what}`)
      return refuse('invalid_input', 'Some rules are not understood.', { rules: says })
    }
  }
  return ok(asked)
}

function longText({ rules = '', codeOwners = '' }: OwnershipChange) {
  const rule = (most: number) => [`At most ${most} characters.`]
  const [most, fileMost] = [max('ownershipCharsMax'), max('codeOwnersCharsMax')]
  if (rules.length > most) return refuse('invalid_input', 'The rules are too long.', { rules: rule(most) })
  if (codeOwners.length <= fileMost) return null
  return refuse('invalid_input', 'The file is too long.', { codeOwners: rule(fileMost) })
}
