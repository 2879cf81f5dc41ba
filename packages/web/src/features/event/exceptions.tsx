/** The exceptions of an event as a tree, the one it is called after first, with the frames of each. */

import type { EventView } from '@errata/server/queries'
import type { ReactNode } from 'react'
import { withQuery } from '#parts/paths.ts'
import type { ExceptionValue } from '#parts/stack-frame.ts'
import { cutText } from '#ui/cut-text.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { Section } from '#ui/section.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { visibleText } from '#ui/visible-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import type { FramesShown } from './frames.ts'
import { LongText } from './long-text.tsx'
import { passedOn, placesBelow } from './passed-on.ts'
import { Stack } from './stack.tsx'
import { StackFormSwitch, UnreadFrames } from './stack-notes.tsx'

type Place = EventView['exceptions'][number]

const SUMMARY_CHARS = 160

interface Shown {
  readonly view: EventView
  readonly shown: FramesShown
}

export function Exceptions({ view, shown }: Shown) {
  const values = view.event.exception?.values ?? []
  if (values.length === 0) return null
  const frames = values.reduce((sum, value) => sum + (value.stacktrace?.frames.length ?? 0), 0)
  const [root] = view.exceptions
  return (
    <Section
      title="Exception"
      note={values.length === 1 ? undefined : `${numberText(values.length)} in all`}
      end={
        <>
          <StackFormSwitch />
          {frames < 2 ? null : <FramesSwitch shown={shown} count={frames} />}
        </>
      }
    >
      <UnreadFrames />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {root === undefined ? null : <ExceptionBranch place={root} view={view} shown={shown} />}
      </div>
    </Section>
  )
}

/**
 * An exception and what belongs to it: causes on one line, members of a group and what was suppressed set in, folded but
 * for the first. Those that only passed a failure of the app's code on are folded together.
 */
function ExceptionBranch({ place, ...rest }: Shown & { readonly place: Place }) {
  const { view } = rest
  const { event, exceptions } = view
  const hasApp = ({ index }: Place) =>
    event.exception?.values.slice(index, index + 1).some(hasAppFrame) ?? false
  const run = place === exceptions[0] ? [] : passedOn(exceptions, { place, hasApp })
  const last = run.at(-1) ?? place
  return (
    <>
      {run.length === 0 ? (
        <ExceptionBox place={place} {...rest} />
      ) : (
        <Folded title={foldedTitle(view, run)}>
          {run.map((one) => (
            <ExceptionBox key={one.index} place={one} {...rest} />
          ))}
        </Folded>
      )}
      {placesBelow(exceptions, last).map((child, at) => (
        <div key={child.index} className={child.level > last.level ? 'grid gap-2 border-s ps-3' : 'contents'}>
          <Joint place={child} />
          {at === 0 || child.level === last.level ? (
            <ExceptionBranch place={child} {...rest} />
          ) : (
            <Folded title={foldedTitle(view, [child])}>
              <ExceptionBranch place={child} {...rest} />
            </Folded>
          )}
        </div>
      ))}
    </>
  )
}

function Joint({ place }: { readonly place: Place }) {
  return (
    <p className="flex items-center gap-2 px-3 text-12 text-ink-3">
      <Icon name="arrow-down" size={12} />
      {place.words}
    </p>
  )
}

/** Title of the first, with the number of the others. */
function foldedTitle({ event }: EventView, [first, ...others]: readonly Place[]): string {
  const { type = 'Error', value = '' } = event.exception?.values[first?.index ?? 0] ?? {}
  const more = others.length === 0 ? '' : `${quantityText(others.length + 1, 'exception')} of libraries, `
  return visibleText(cutText(`${more}${type}: ${value}`, SUMMARY_CHARS))
}

function Folded(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="group/member rounded-field">
      <summary className="flex cursor-pointer items-center gap-2 rounded-field border px-3 py-2 text-13 max-phone:min-h-11">
        <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3 group-open/member:rotate-90" />
        <span className="foreign min-w-0 max-phone:line-clamp-2">{props.title}</span>
      </summary>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-2">{props.children}</div>
    </details>
  )
}

/** "In app first" folds the libraries; the choice is in the URL. */
export function FramesSwitch({ shown, count }: { readonly shown: FramesShown; readonly count: number }) {
  const { pathname, search } = useLocation()
  const others = Object.fromEntries(new URLSearchParams(search))
  return (
    <Segmented label="Frames shown">
      <PageLink
        to={withQuery(pathname, { ...others, frames: null })}
        preventScrollReset
        aria-current={shown === 'app' ? 'true' : undefined}
      >
        In app first
      </PageLink>
      <PageLink
        to={withQuery(pathname, { ...others, frames: 'all' })}
        preventScrollReset
        aria-current={shown === 'all' ? 'true' : undefined}
      >
        All {numberText(count)} frames
      </PageLink>
    </Segmented>
  )
}

function ExceptionBox({ place, view, shown }: Shown & { readonly place: Place }) {
  const { index } = place
  const { event, decoded } = view
  const value = event.exception?.values[index]
  if (value === undefined) return null
  const path = `exception.values.${index}`
  const sent = decoded.find((text) => text.path === `${path}.value`)?.sent
  const stack = value.stacktrace ?? (index === 0 ? event.stacktrace : undefined)
  return (
    <div className="rounded-field border">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-1 px-3 py-2.5">
        <h3 className="foreign min-w-0 flex-1 text-15 font-normal whitespace-pre-wrap max-phone:basis-full">
          <LongText lead={value.type ?? 'Error'} text={value.value ?? ''} path={`${path}.value`} />
        </h3>
        <MechanismNote value={value} />
        {sent === undefined ? null : (
          <details className="basis-full text-12 text-ink-3">
            <summary className="link inline">As sent</summary>
            <p className="foreign mt-1 wrap-anywhere">{visibleText(sent)}</p>
          </details>
        )}
      </div>
      {stack === undefined ? (
        <p className="border-t px-3 py-2 text-12 text-ink-3">
          The SDK sent no stack trace with this exception.
        </p>
      ) : (
        <Stack
          stack={stack}
          ran={value.stacktrace === undefined ? event.raw_stacktrace : value.raw_stacktrace}
          shown={shown}
          path={value.stacktrace === undefined ? 'stacktrace' : `${path}.stacktrace`}
          platform={event.platform}
          isBesideApp={event.exception?.values.some(hasAppFrame) ?? false}
        />
      )}
    </div>
  )
}

function hasAppFrame({ stacktrace }: ExceptionValue): boolean {
  return stacktrace?.frames.some((frame) => frame.in_app === true) ?? false
}

function MechanismNote({ value }: { readonly value: ExceptionValue }) {
  const { mechanism } = value
  if (mechanism === undefined) return null
  const handled = mechanism.handled === undefined ? [] : [mechanism.handled ? 'handled' : 'unhandled']
  const help = safeHref(mechanism.help_link)
  return (
    <span className="foreign pt-0.5 text-12 text-ink-3">
      {[...handled, mechanism.type].join(' · ')}
      {help === undefined ? null : (
        <>
          {' · '}
          <a className="link" href={help} rel="noreferrer noopener" target="_blank">
            documentation
          </a>
        </>
      )}
    </span>
  )
}
