/** A page that an older build made asks this one: it is told, and that it happened is recorded. */
import type { WireError } from './answers.ts'
import type { AppTables } from './app-tables.ts'
import { digestOf } from './digest.ts'
import { readsSelf } from './failure.ts'
import { staleBuild } from './respond.ts'
import { failurePlace, type Serving } from './serve-context.ts'

class StaleBuild extends Error {
  override readonly name = 'StaleBuild'
}

/**
 * Returns the answer to a page of another build. `null` when the page is of this build or does not say. Recorded for
 * people who are signed in: anybody can claim it.
 */
export function staleBuildAnswer(
  tables: Pick<AppTables, 'digestPath'>,
  serving: Serving,
  { build, route }: { readonly build: string; readonly route: string },
): WireError | null {
  const { clientBuild, viewer, engine } = serving
  if (clientBuild === null || clientBuild === build) return null
  if (viewer === null) return staleBuild(build)
  const error = new StaleBuild('A page of another build asked this one')
  const digest = digestOf(error)
  engine.report({ error, digest, ...failurePlace(serving, route) })
  const recorded = readsSelf(engine, viewer) ? { recorded: tables.digestPath(digest) } : {}
  return { ...staleBuild(build), digest, ...recorded }
}
