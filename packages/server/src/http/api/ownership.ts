/** Ownership rules of a project, in Sentry's words. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import type { OwnershipView } from '#queries/ownership.ts'
import { OWNERSHIP } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, type OrgCall, orgRoute } from './call.ts'
import { existing } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'
import { answerVersioned, grantedAsSeen, seenBy } from './versions.ts'

const OFF = 'Turn off Auto-Assignment'
const TO_OWNER = 'Auto Assign to Issue Owner'
const TO_SUSPECT = 'Auto Assign to Suspect Commits'
const MODE_RULE = `One of “${OFF}”, “${TO_OWNER}” and “${TO_SUSPECT}”.`
const CHANGE = v.object({
  raw: v.optional(v.nullable(v.string('The rules as text.'))),
  autoAssignment: v.optional(v.picklist([OFF, TO_OWNER, TO_SUSPECT], MODE_RULE)),
  /** A `CODEOWNERS` file; Sentry has a call of its own for it. */
  codeowners: v.optional(v.nullable(v.string('A CODEOWNERS file as text.'))),
  /** Taken for tools that send them: rules always hold, and what they do not name is nobody's. */
  fallthrough: v.optional(v.boolean()),
  codeownersAutoSync: v.optional(v.boolean()),
})

const PATTERN = '/projects/{org}/{project}/ownership/'

export const OWNERSHIP_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: PATTERN,
    permission: 'project.read',
    what: 'ownership rules of a project',
    answer: OWNERSHIP,
    versioned: true,
    run: async (call) => ownershipAnswer(await requireOwnership(call)),
  }),
  orgRoute({
    method: 'PUT',
    pattern: PATTERN,
    permission: 'project.write',
    what: 'changes ownership rules',
    body: CHANGE,
    answer: OWNERSHIP,
    versioned: true,
    async run(call) {
      const before = await requireOwnership(call)
      const { raw, autoAssignment, codeowners } = readBody(CHANGE, await call.json())
      const change = {
        ...(raw === undefined ? {} : { rules: raw ?? '' }),
        ...(codeowners === undefined ? {} : { codeOwners: codeowners ?? '' }),
        ...(autoAssignment === undefined ? {} : modeOf(autoAssignment)),
      }
      const seen = seenBy(call, ownershipSeen(before))
      const asked = { project: before.project.id, change, seen }
      grantedAsSeen(await call.commands.run('setOwnership', call, asked), seen)
      return ownershipAnswer(await requireOwnership(call))
    },
    bodyBytesMax: 3 * (max('ownershipCharsMax') + max('codeOwnersCharsMax')),
  }),
]

/** Owners where no commit is a suspect, as with Sentry. */
function modeOf(mode: string) {
  return { isAutoAssigned: mode !== OFF, assignsSuspects: mode === TO_SUSPECT }
}

async function requireOwnership({ queries, scope, params }: OrgCall): Promise<OwnershipView> {
  return existing(await queries.ownership(scope, params.project ?? ''))
}

/** The texts are long: when they were written stands for them. */
function ownershipSeen({ changedMs }: OwnershipView) {
  return { changedMs }
}

function ownershipAnswer(view: OwnershipView) {
  return answerVersioned(shape(view), ownershipSeen(view))
}

function shape({ rules, codeOwners, createdMs, changedMs, problems, cut, ...modes }: OwnershipView) {
  const { isAutoAssigned, assignsSuspects } = modes
  return {
    raw: rules === '' ? null : rules,
    codeowners: codeOwners === '' ? null : codeOwners,
    fallthrough: false,
    isActive: true,
    autoAssignment: assignsSuspects ? TO_SUSPECT : isAutoAssigned ? TO_OWNER : OFF,
    codeownersAutoSync: false,
    dateCreated: createdMs === null ? null : isoTimeText(createdMs),
    lastUpdated: changedMs === null ? null : isoTimeText(changedMs),
    errata: { problems, cut: cut === null ? null : { issues: cut.issues, lastSeen: isoTimeText(cut.atMs) } },
  }
}
