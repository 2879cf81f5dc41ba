/** Commands about a project's ownership. */
import type { ProjectId } from '#base/ids.ts'
import { type Result, refuse } from '#base/result.ts'
import { ownershipProblems } from '#issues/ownership/owners.ts'
import { max } from '#limits/limits.ts'
import type { OwnershipChange } from '#ports/ownership.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { ownerDirectory } from '#queries/ownership.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { CommandParts } from './parts.ts'

export interface OwnershipCommands {
  /** Rules must be whole and name who is there; of `CODEOWNERS` what is not understood, or nobody, is left out. */
  setOwnership(
    asking: Asking,
    asked: {
      readonly project: ProjectId
      readonly change: OwnershipChange
      readonly seen?: SeenSettings | undefined
    },
  ): Promise<Result<null>>
}

type Parts = Pick<CommandParts, 'accounts' | 'projects' | 'projectsWrite' | 'clock'>

export function ownershipCommands(parts: Parts): OwnershipCommands {
  return {
    async setOwnership(asking, { project, change, seen }) {
      const { scope } = asking
      const refusal = refusalOf(asking, 'project.write', { project })
      if (refusal !== null) return refusal
      const found = await parts.projects.project(scope, String(project))
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
      const place = { org: scope.orgId, project: found.id }
      const given = { ...change, seen }
      return parts.projectsWrite.setOwnership(place, given, actorOf(parts, asking))
    },
  }
}

function longText({ rules = '', codeOwners = '' }: OwnershipChange) {
  const rule = (most: number) => [`At most ${most} characters.`]
  const [most, fileMost] = [max('ownershipCharsMax'), max('codeOwnersCharsMax')]
  if (rules.length > most) return refuse('invalid_input', 'The rules are too long.', { rules: rule(most) })
  if (codeOwners.length <= fileMost) return null
  return refuse('invalid_input', 'The file is too long.', { codeOwners: rule(fileMost) })
}
