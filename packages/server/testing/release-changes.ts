/** Changes of releases, whose preparation found nothing wrong. */
import { createChanges } from '#commands/changes.ts'
import { setCommits } from '#commands/release-changes.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import type { Control } from '#ports/control.ts'
import type { Deploy, ReleaseChange, ReleaseCommit, ReleasePlace } from '#ports/releases.ts'
import type { Actor } from '#ports/scope.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

export type ReleaseChanges = ReturnType<typeof releaseChanges>

export function releaseChanges(control: Control) {
  const change = changesOf(control)
  const { own } = createChanges(control)
  const scopeOf = ({ orgId, readable: projects }: ReleasePlace) => scopeForTest({ orgId, projects })
  const of = <N extends CommandName>(name: N, place: ReleasePlace, prepared: PreparedOf<N>, actor: Actor) =>
    change(name, prepared, { scope: scopeOf(place), actor })
  return {
    putRelease: (place: ReleasePlace, given: ReleaseChange, actor: Actor) =>
      own('noteRelease', {
        ...{ version: place.version, change: given, commits: null },
        by: { scope: scopeOf(place), actor },
      }),
    setCommits: (place: ReleasePlace, commits: readonly ReleaseCommit[], actor: Actor) =>
      control.write((tx) =>
        setCommits(tx, { version: place.version, commits }, { scope: scopeOf(place), actor }),
      ),
    addDeploy: (place: ReleasePlace, deploy: Omit<Deploy, 'id'>, actor: Actor) =>
      of('addDeploy', place, { version: place.version, deploy }, actor),
    deleteRelease: (place: ReleasePlace, actor: Actor) =>
      of('deleteRelease', place, { version: place.version }, actor),
  }
}
