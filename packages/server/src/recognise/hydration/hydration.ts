/**
 * Server and client rendered different HTML. Told by numbers and texts of the frameworks themselves, taken from their
 * packages; docs/wire.md, section "Hydration", lists them.
 */
import type { ScrubbedEvent } from '#model/event.ts'
import type { HydratingFramework, Hydration } from '#model/recognised.ts'
import { readReactError } from '../react/decode.ts'
import { reactVersion } from '../react/version.ts'
import type { Said } from '../said.ts'
import { componentOf } from './component.ts'
import { halvesOf } from './halves.ts'

/**
 * 418 to 425 are React 18's and 19's; 329 is what 16 to 18 end in where a root could not be hydrated. 419 and 441 echo a
 * failure of the server (`group/v1/mirror.ts`), 420 is of another feature.
 */
const REACT_CODES: ReadonlySet<number> = new Set([329, 418, 421, 422, 423, 424, 425])

const TEXTS: readonly (readonly [framework: HydratingFramework, pattern: RegExp])[] = [
  // React 18 and 19, errors.
  ['React', /^Hydration failed because the (?:initial UI|server rendered)/],
  ['React', /^There was an error while hydrating/],
  ['React', /^Text content does not match server-rendered HTML/],
  ['React', /^This Suspense boundary received an update before it finished hydrating/],
  ['React', /^This root received an early update, before anything was able hydrate/],
  ['React', /^Hydration Mismatch Exception/],
  // React 16 to 19, lines of the console in development.
  ['React', /^A tree hydrated but some attributes of the server rendered HTML didn't match/],
  ['React', /^Text content did not match\. Server:/],
  ['React', /^Prop `[^`]{1,100}` did not match\. Server:/],
  ['React', /^Extra attributes from the server:/],
  ['React', /^(?:Expected|Did not expect) server HTML to contain/],
  ['React', /^An error occurred during hydration\. The server HTML was replaced/],
  [
    'React',
    /^In HTML, [^\n]{1,300} cannot be a (?:child|descendant) of [^\n]{1,300}\nThis will cause a hydration error/,
  ],
  // Vue and Nuxt; then Vue 2.
  [
    'Vue',
    /^(?:\[Vue warn\]:? ?)?Hydration (?:node|text|text content|children|attribute|class|style) mismatch/,
  ],
  ['Vue', /^Hydration completed but contains mismatches/],
  [
    'Vue',
    /^(?:\[Vue warn\]:? ?)?The client-side rendered virtual DOM tree is not matching server-rendered content/,
  ],
  // Svelte 5, in development and in production.
  [
    'Svelte',
    /^(?:%c\[svelte\] )?(?:https:\/\/svelte\.dev\/e\/)?hydration_(?:mismatch|failed|attribute_changed|html_changed)/,
  ],
  ['Solid', /^(?:Unrecoverable )?Hydration Mismatch\./],
  ['Solid', /^Failed attempt to create new DOM elements during hydration/],
  ['Preact', /^Expected a DOM node of type [^\n]{1,300}caused by the SSR'd HTML/],
  ['Angular', /^(?:NG0?50[0-3]: )?During hydration,? Angular (?:expected|was unable)/],
  ['Lit', /^Hydration value mismatch/],
]

export function recogniseHydration(event: ScrubbedEvent, said: Said): Hydration | null {
  const framework = frameworkOf(event, said.text)
  if (framework === null) return null
  const halves = halvesOf(event, said.text)
  return {
    category: 'hydration',
    framework,
    component: componentOf(event, said.text),
    server: halves?.server ?? null,
    client: halves?.client ?? null,
  }
}

function frameworkOf(event: ScrubbedEvent, text: string): HydratingFramework | null {
  const error = readReactError(text, reactVersion(event))
  if (error !== null) return REACT_CODES.has(error.code) ? 'React' : null
  return TEXTS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
