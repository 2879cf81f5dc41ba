/** Section on what the server sent, what the browser rendered in its place, and why they differ. */
import type { EventView } from '@errata/server/queries'
import { useState } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import type { TagDistribution } from '#parts/issue-types.ts'
import { Icon, type IconName } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { countText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { visibleText } from '#ui/visible-text.ts'
import { type DiffCell, type DiffRow, diffColumn } from './html-diff.ts'
import type { IssueData } from './issue.server.ts'

type Hydration = NonNullable<EventView['hydration']>
type Cause = Hydration['causes'][number]

const CAUSE_NAMES: Readonly<Record<Cause['cause'], string>> = {
  nesting: 'Invalid nesting',
  extension: 'Browser extension',
  time_zone: 'Time zone',
  locale: 'Locale',
  render_time: 'Random or time of render',
  browser_only: 'Server/client branch',
  changed_data: 'Data changed between reads',
}

/** Steps for each cause, beside the evidence of a likely one. */
const CAUSE_STEPS: Readonly<Record<Cause['cause'], string>> = {
  nesting: 'Browsers move elements that can’t be nested. Render valid HTML.',
  extension: 'The visitor’s browser changed the page. suppressHydrationWarning on that element hides it.',
  time_zone: 'Format with a fixed time zone on both sides, or in an effect.',
  locale: 'Pass the locale from the server to the browser instead of each side’s default.',
  render_time: 'Create the value on the server and pass it on, or set it in an effect.',
  browser_only: 'Render the same on both sides first, and the browser-only part in an effect.',
  changed_data: 'Hydrate with the data the server rendered, and refresh it afterwards.',
}

export function HydrationSection(props: {
  readonly hydration: EventView['hydration']
  readonly rows: IssueData['htmlRows']
  /** Tags of the issue, and its number of events. */
  readonly tags: readonly TagDistribution[]
  readonly count: number
}) {
  const { hydration, rows, tags, count } = props
  if (hydration === null) return null
  const { halves, causes } = hydration
  return (
    <>
      <Section title="What differs" note={sourceText(hydration)}>
        {halves === null || (halves.server === null && halves.client === null) ? (
          <NoHalves framework={hydration.framework} />
        ) : (
          <>
            <Difference halves={halves} rows={rows} component={hydration.component} />
            <Source hydration={hydration} />
          </>
        )}
      </Section>
      {causes.length === 0 ? null : <Causes causes={causes} counts={countByCause(tags)} events={count} />}
    </>
  )
}

/** Each event carries its likely cause as a tag. */
function countByCause(tags: readonly TagDistribution[]): ReadonlyMap<string, number> {
  const values = tags.find(({ key }) => key === 'errata.hydration')?.values ?? []
  return new Map(values.map(({ value, count }) => [value, count]))
}

function sourceText({ framework, version, code }: Hydration): string {
  const name = version === null ? framework : `${framework} ${version}`
  return code === null ? name : `${name}, minified error #${code}`
}

/** Shows where in the app it is, and the source of the difference. */
function Source({ hydration: { path, source } }: { readonly hydration: Hydration }) {
  const around = path.slice(0, -1)
  return (
    <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-12 text-ink-3">
      <span className="foreign">
        {path.length < 2 ? null : (
          <>
            {around.join(' ‹ ')} ‹ <b className="font-strong text-ink-2">{path.at(-1)}</b>
          </>
        )}
      </span>
      <span>
        {source === 'helper'
          ? 'Both fragments were captured in the browser and scrubbed'
          : 'From the message of a development build'}
      </span>
    </p>
  )
}

function NoHalves({ framework }: { readonly framework: string }) {
  return (
    <p className="max-w-160 text-13 text-ink-2">
      {framework}’s production build doesn’t say what differs. Add <code>hydrationIntegration()</code> of{' '}
      <code>@errata/relay/hydration</code> to the browser’s <code>Sentry.init</code>: each error then brings
      both HTML fragments. <DocsLink to="hydration" />
    </p>
  )
}

type Layout = 'sides' | 'column'

/** Side by side as long as nobody chooses otherwise; without JavaScript it stays so. */
function Difference(props: {
  readonly halves: NonNullable<Hydration['halves']>
  readonly rows: IssueData['htmlRows']
  readonly component: string | null
}) {
  const { rows, component } = props
  const { server, client } = props.halves
  const [layout, setLayout] = useState<Layout>('sides')
  const [isWhole, setIsWhole] = useState(false)
  const around = rows.filter(({ isNear }) => isNear)
  const hasBoth = server !== null && client !== null
  const shown = isWhole ? rows : around
  return (
    <>
      <div className="mb-2 flex flex-wrap justify-end gap-2">
        {hasBoth ? (
          <Segmented label="Layout">
            <Choice isChosen={layout === 'sides'} choose={() => setLayout('sides')}>
              Side by side
            </Choice>
            <Choice isChosen={layout === 'column'} choose={() => setLayout('column')}>
              One column
            </Choice>
          </Segmented>
        ) : null}
        {around.length < rows.length ? (
          <Segmented label="Extent">
            <Choice isChosen={!isWhole} choose={() => setIsWhole(false)}>
              The difference
            </Choice>
            <Choice isChosen={isWhole} choose={() => setIsWhole(true)}>
              Whole fragment
            </Choice>
          </Segmented>
        ) : null}
      </div>
      {hasBoth && layout === 'column' ? (
        <Column rows={shown} />
      ) : (
        <div className="grid grid-cols-2 overflow-hidden rounded-field border max-phone:grid-cols-1">
          <Side name="Server sent" icon="database" side="server" rows={server === null ? null : shown} />
          <Side
            name="Browser rendered"
            icon="browser"
            side="client"
            rows={client === null ? null : shown}
            end={component}
          />
        </div>
      )}
    </>
  )
}

function Choice(props: {
  readonly isChosen: boolean
  readonly choose: () => void
  readonly children: string
}) {
  return (
    <button type="button" aria-pressed={props.isChosen} onClick={props.choose}>
      {props.children}
    </button>
  )
}

/** Shows common lines once; of differing ones the server's, then the browser's. */
function Column({ rows }: { readonly rows: readonly DiffRow[] }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="HTML: what the server sent (−) and the browser rendered (+)"
      className="overflow-x-auto rounded-field border bg-sunken py-2 font-mono text-12 leading-5"
    >
      <div className="w-max min-w-full">
        {diffColumn(rows).map(({ cell, side }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <Line key={at} cell={cell} sign={side === 'client' ? '+' : '−'} />
        ))}
      </div>
    </section>
  )
}

function Side(props: {
  readonly name: string
  readonly icon: IconName
  readonly side: keyof DiffRow
  /** `null`: this half is not known. */
  readonly rows: readonly DiffRow[] | null
  readonly end?: string | null
}) {
  const { side, rows } = props
  const isClient = side === 'client'
  return (
    <div className={`min-w-0 ${isClient ? 'border-s max-phone:border-s-0 max-phone:border-t' : ''}`}>
      <h3 className="flex min-h-9 items-center gap-2 border-b px-3 text-12 font-strong">
        <Icon name={props.icon} size={12} className="text-ink-3" />
        {props.name}
        {props.end ? <code className="foreign ms-auto truncate text-ink-3">{props.end}</code> : null}
      </h3>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`HTML: ${props.name}`}
        className="overflow-x-auto bg-sunken py-2 font-mono text-12 leading-5"
      >
        <div className="w-max min-w-full">
          {rows === null ? (
            <p className="px-3 text-ink-3">Not sent</p>
          ) : (
            rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
              <Line key={at} cell={row[side]} sign={isClient ? '+' : '−'} />
            ))
          )}
        </div>
      </section>
    </div>
  )
}

function Line({ cell, sign }: { readonly cell: DiffCell | null; readonly sign: string }) {
  if (cell === null) return <div aria-hidden="true" className="h-5 max-phone:hidden" />
  const { line, text, changed } = cell
  return (
    <div className={`flex whitespace-pre ${changed === null ? '' : 'bg-hover-2'}`}>
      <span className="num w-9 shrink-0 pe-2 text-end text-ink-3">{line}</span>
      <span className="w-5 shrink-0 font-strong">{changed === null ? '' : sign}</span>
      <bdi className="pe-3">
        {changed === null ? (
          visibleText(text)
        ) : (
          <>
            {visibleText(text.slice(0, changed.from))}
            <mark className="rounded-mark bg-warn-soft text-warn">
              {visibleText(text.slice(changed.from, changed.to))}
            </mark>
            {visibleText(text.slice(changed.to))}
          </>
        )}
      </bdi>
    </div>
  )
}

/** The likely one first; the others stay, with what speaks against them. */
function Causes(props: {
  readonly causes: readonly Cause[]
  readonly counts: ReadonlyMap<string, number>
  readonly events: number
}) {
  const { causes, counts, events } = props
  const inOrder = causes.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely))
  const hasLikely = inOrder[0]?.isLikely === true
  return (
    <Section
      title="Likely cause"
      note={
        hasLikely
          ? `by this event${counts.size === 0 ? '' : `; counts of all ${countText(events)}`}`
          : 'this event shows no cause'
      }
    >
      <ul className="border-t">
        {inOrder.map(({ cause, isLikely, evidence }) => (
          <li
            key={cause}
            className="flex gap-3 border-b py-2 text-13 max-phone:flex-wrap max-phone:gap-y-0.5"
          >
            <span className="grid w-4 shrink-0 place-content-center self-start pt-0.5 text-ink-3">
              {isLikely ? <LevelMark level="warning" /> : <span aria-hidden="true">–</span>}
            </span>
            <span className="w-50 shrink-0 font-strong">{CAUSE_NAMES[cause]}</span>
            <span className="foreign min-w-0 text-ink-2 max-phone:basis-full max-phone:ps-7">
              {evidence}
              {isLikely ? `. ${CAUSE_STEPS[cause]}` : null}
            </span>
            {counts.size === 0 ? null : (
              <span
                className={`num ms-auto shrink-0 ps-3 text-ink-2 ${counts.has(cause) ? '' : 'max-phone:hidden'}`}
                title={`Likely cause of ${countText(counts.get(cause) ?? 0)} of ${countText(events)} events`}
              >
                {counts.has(cause) ? `${countText(counts.get(cause) ?? 0)} of ${countText(events)}` : '0'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
