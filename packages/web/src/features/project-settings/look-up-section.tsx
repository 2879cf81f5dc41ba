/** A check: each step of looking up the map of an event's frame, or of a file. */
import { paths } from '#parts/paths.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Icon } from '#ui/icons.tsx'
import { Section } from '#ui/section.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSourceMaps } from './source-maps.server.ts'

type Check = NonNullable<Awaited<ReturnType<typeof loadSourceMaps>>['check']>
type Place = Check['places'][number]
type Step = Place['steps'][number]

export function LookUpSection() {
  const { check } = usePageData<typeof loadSourceMaps>()
  return (
    <Section title="Check a lookup" id="check">
      <CheckForm />
      {check === null ? null : <Answer check={check} />}
    </Section>
  )
}

function CheckForm() {
  const { org, project, asked } = usePageData<typeof loadSourceMaps>()
  return (
    <form method="get" action={`${paths.projectSourceMaps(org, project.slug)}#check`} className="grid gap-2">
      <label className="text-13 text-ink-2" htmlFor="check-text">
        Event ID, debug ID, or address of a file
      </label>
      <input
        id="check-text"
        className="field field-mono"
        name="check"
        defaultValue={asked.check}
        placeholder="https://example.com/assets/app.js:1:4821"
        required
      />
      <details open={asked.release !== '' || asked.dist !== ''}>
        <summary className="link text-12">Release of the file</summary>
        <div className="mt-2 grid grid-cols-[2fr_1fr] gap-2">
          <input
            className="field"
            name="release"
            defaultValue={asked.release}
            aria-label="Release"
            placeholder="Release"
          />
          <input
            className="field"
            name="dist"
            defaultValue={asked.dist}
            aria-label="Dist"
            placeholder="Dist"
          />
        </div>
      </details>
      <div>
        <button type="submit" className="btn">
          Check
        </button>
      </div>
    </form>
  )
}

function Answer({ check }: { readonly check: Check }) {
  if (check.kind === null)
    return (
      <p className="mt-4 text-13 text-ink-2">
        No event of this project has this ID, and it’s neither a debug ID nor the address of a file.
      </p>
    )
  return (
    <div className="mt-4 grid gap-2">
      {check.places.map((place, index) => (
        <PlaceAnswer
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is where it stands in the event
          key={index}
          answer={place}
          isOpen={index === firstProblem(check)}
        />
      ))}
    </div>
  )
}

function firstProblem({ places }: Check): number {
  return Math.max(
    0,
    places.findIndex(({ problem }) => problem !== null),
  )
}

function PlaceAnswer({ answer, isOpen }: { readonly answer: Place; readonly isOpen: boolean }) {
  const { place, steps, problem, original } = answer
  return (
    <details open={isOpen} className="group/place rounded-field border">
      <summary className="flex min-h-8 items-center gap-2 px-3 py-1.5 text-12 hover:bg-hover focus-visible:-outline-offset-2">
        <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3 group-open/place:rotate-90" />
        <code className="foreign min-w-0 flex-1">{lookedUpPlaceText(place)}</code>
        <Icon
          name={problem === null ? 'check' : 'close'}
          size={12}
          className={problem === null ? 'text-good' : 'text-warn'}
          label={problem === null ? 'Resolved' : problem.title}
        />
      </summary>
      <ol className="border-t px-3 py-1">
        {shownSteps(steps).map((step) => (
          <StepRow key={step.name} step={step} />
        ))}
      </ol>
      <div className="border-t px-3 py-2.5 text-13">
        {problem === null ? (
          <p className="foreign">
            {original === null
              ? 'The map is there.'
              : `Resolves to ${original.source}:${original.line}:${original.column}`}
          </p>
        ) : (
          <>
            <h3 className="font-strong">{problem.title}</h3>
            <p className="mt-1 text-ink-2">{problem.next}</p>
            {problem.command === null ? null : (
              <div className="mt-2 flex items-start gap-2 rounded-field border bg-sunken px-3 py-2">
                <code className="foreign min-w-0 flex-1 text-12 whitespace-pre-wrap">{problem.command}</code>
                <CopyButton text={problem.command} name="Copy the command" />
              </div>
            )}
          </>
        )}
      </div>
    </details>
  )
}

/** Without those that another settled; those behind the last that was taken were not checked. */
function shownSteps(steps: readonly Step[]): readonly Step[] {
  const last = steps.findLastIndex(({ state }) => state !== 'skipped')
  const failed = steps.slice(0, last + 1).some(({ state }) => state === 'no')
  return steps.filter(({ name, state }, at) => {
    if (name === 'elsewhere') return state === 'yes'
    return state !== 'skipped' || (failed && at > last)
  })
}

function lookedUpPlaceText({ path, debugId, line, column }: Place['place']): string {
  const position = line === null ? '' : `:${line}${column === null ? '' : `:${column}`}`
  return path === '' ? (debugId ?? '') : `${path}${position}`
}

const WORDS: Readonly<Record<Step['name'], readonly [yes: string, no: string]>> = {
  debug_id: ['There is a debug ID for this file', 'No debug ID for this file'],
  map_of_debug_id: ['A map of this ID was uploaded', 'No map of this ID in this project'],
  release: ['There is a release', 'No release'],
  address: ['The release has this address', 'No file of the release at this address'],
  elsewhere: ['Another project has this debug ID', ''],
  opens: ['The map opens', 'The map doesn’t open'],
  position: ['The position is in the map', 'The position isn’t in the map'],
  source: ['The source is in the map', 'The source isn’t in the map'],
}

function StepRow({ step: { name, state, detail } }: { readonly step: Step }) {
  const isGood = state === 'yes' && name !== 'elsewhere'
  const [yes, no] = WORDS[name]
  if (state === 'skipped')
    return (
      <li className="flex gap-2 border-b py-2 text-13 text-ink-3 last:border-b-0">
        <span
          aria-hidden="true"
          className="mx-px mt-1 size-3 shrink-0 rounded-full border border-dashed border-control"
        />
        <span>
          {yes}
          <span className="block text-12">not checked</span>
        </span>
      </li>
    )
  return (
    <li className="flex gap-2 border-b py-2 text-13 last:border-b-0">
      <Icon
        name={state === 'yes' ? 'check' : 'close'}
        size={14}
        className={`mt-0.5 shrink-0 ${isGood ? 'text-good' : 'text-warn'}`}
      />
      <span className="min-w-0">
        {state === 'yes' ? yes : no}
        {detail === '' ? null : <code className="foreign block text-12 text-ink-3">{detail}</code>}
      </span>
    </li>
  )
}
