/** Work of the artifacts thread on source maps that come after the events they are for. */
import type { ScrubbedEvent } from '#model/event.ts'
import type { LateBundle, LateProject, Regrouped, Rewritten } from '#ports/late-maps.ts'

export interface LateMaps {
  /** The event with original frames where maps resolve them; a frame that stays as it is says why. For readers. */
  symbolicate(project: LateProject, event: ScrubbedEvent): Promise<ScrubbedEvent>
  /** The group of a stored event as it would be read today; `null` where no map changes anything of it. */
  regroup(project: LateProject, payload: Uint8Array): Promise<Regrouped | null>
  /** A stored event as it is to be stored from now on; `null` where no map changes anything of it. */
  rewrite(project: LateProject, payload: Uint8Array): Promise<Rewritten | null>
  lateBundles(limit: number): Promise<readonly LateBundle[]>
  mended(mark: number): Promise<void>
}
