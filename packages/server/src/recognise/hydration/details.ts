/** All that can be said of a mismatch to who looks at one event of it. */
import type { NormalizedEvent, ScrubbedEvent } from '#model/event.ts'
import type { Hydration } from '#model/recognised.ts'
import { readReactError } from '../react/decode.ts'
import { reactVersion } from '../react/version.ts'
import { saidBy } from '../said.ts'
import { type HydrationCause, type JudgedCause, judgeCauses } from './causes.ts'
import { componentPath } from './component.ts'
import { type Halves, halvesOf } from './halves.ts'
import { sentHalves } from './sent-halves.ts'

export interface HydrationDetails extends Pick<Hydration, 'framework' | 'component'> {
  /** React's number, where the build was minified. */
  readonly code: number | null
  readonly version: string | null
  readonly halves: Halves | null
  /** Source of the difference: a helper in the page, or the words of a development build. */
  readonly source: 'helper' | 'development'
  /** Components around what differs, the outermost first. */
  readonly path: readonly string[]
  /** Empty where neither halves nor console tell anything. */
  readonly causes: readonly JudgedCause[]
}

const CRUMBS_MAX = 20

export function hydrationDetails(
  event: ScrubbedEvent,
  { framework, component }: Hydration,
): HydrationDetails {
  const { text } = saidBy(event)
  const texts = [text, ...consoleLines(event)]
  const halves = halvesOf(event, text) ?? halvesOfConsole(event)
  const causes = judgeCauses({ halves, texts })
  const version = reactVersion(event)
  return {
    framework,
    component,
    code: readReactError(text, version)?.code ?? null,
    version: version ?? null,
    halves,
    source: sentHalves(event) === null ? 'development' : 'helper',
    path: componentPath(event, text),
    causes: halves === null && !causes.some(({ isLikely }) => isLikely) ? [] : causes,
  }
}

/** Returns the likely cause of a hydration failure. `null` where nothing points to one. */
export function likelyCause(event: ScrubbedEvent, hydration: Hydration): HydrationCause | null {
  return hydrationDetails(event, hydration).causes.find(({ isLikely }) => isLikely)?.cause ?? null
}

/** React up to 18 writes what differs into the console, and throws an error that does not say it. */
function halvesOfConsole(event: NormalizedEvent): Halves | null {
  for (const line of consoleLines(event)) {
    const halves = halvesOf({ ...event, contexts: {}, extra: {} }, line)
    if (halves !== null) return halves
  }
  return null
}

/** The newest first. */
function consoleLines(event: NormalizedEvent): readonly string[] {
  return (event.breadcrumbs?.values ?? [])
    .filter(({ category }) => category === 'console')
    .slice(-CRUMBS_MAX)
    .reverse()
    .map((crumb) =>
      withArguments(crumb.message ?? '', crumb.data?.arguments).replace(/^(?:Warning|Error): /, ''),
    )
}

function withArguments(message: string, given: unknown): string {
  const [line, ...rest]: readonly unknown[] = Array.isArray(given) ? given : []
  if (typeof line !== 'string' || !line.includes('%s')) return message
  let at = 0
  return line.replace(/%s/g, (place) => {
    const value = rest[at++]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : place
  })
}
