/**
 * Recognises causes by a framework's own words. Nearly every event has none, and pays for a look at its type
 * and first characters.
 */
import type { ScrubbedEvent } from '#model/event.ts'
import type { Recognised } from '#model/recognised.ts'
import { recogniseHydration } from './hydration/hydration.ts'
import { saidBy } from './said.ts'
import { recogniseSkew } from './skew.ts'
import { isDevelopment, needsDeploy, recogniseUnloaded } from './unloaded.ts'

/** Words of which every recognised text holds one, within so many characters. */
const MAYBE =
  /ydrat|React error|[Ss]erver[- ](?:HTML|Action|render|function info)|did not match|server-rendered|from the server:|react\.dev|error-decoder|chunk|imported module|module script|preload CSS|manifest version|build manifest|load script|No route|descendant of|child of/
const LOOK_CHARS = 320
const TYPES = new Set(['UnrecognizedActionError', 'ChunkLoadError'])

export function recognise(event: ScrubbedEvent): Recognised | null {
  const said = saidBy(event)
  const isMaybe = TYPES.has(said.type) || MAYBE.test(said.text.slice(0, LOOK_CHARS))
  if (!isMaybe) return null
  const skew = recogniseSkew(said)
  if (skew === null) return recogniseHydration(event, said)
  if (event.sameBuild === true) return null
  const isNoDeploy = needsDeploy(skew) && (event.noDeploy === true || isDevelopment(event))
  return isNoDeploy ? recogniseUnloaded(event, { skew, text: said.text }) : skew
}
