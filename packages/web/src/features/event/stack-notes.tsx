/** Notes beside the frames of an event: why some stay unread, where sources are, and which form is shown. */
import type { EventView } from '@errata/server/queries'
import { createContext, type ReactNode, useContext } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import type { StoredEvent } from '#parts/issue-types.ts'
import { paths, withQuery } from '#parts/paths.ts'
import type { Stacktrace } from '#parts/stack-frame.ts'
import { quantityText } from '#ui/number-text.ts'
import { Segmented } from '#ui/segmented.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'

/** `original`: what was written, where it is known; `minified`: what ran. */
export type StackForm = 'original' | 'minified'
export type UnresolvedNote = EventView['readable']['notes'][number]

interface Stacks {
  readonly form: StackForm
  readonly readable: EventView['readable']
  /** Whether any stack has both forms. */
  readonly hasBoth: boolean
  readonly settingsPath: string
}

const Context = createContext<Stacks>({
  form: 'original',
  readable: { notes: [], byFrame: {}, links: {} },
  hasBoth: false,
  settingsPath: '',
})

export function StackNotes(props: {
  readonly org: string
  readonly project: string
  readonly view: EventView
  readonly form: StackForm
  readonly children: ReactNode
}) {
  const { org, project, view, form } = props
  const value: Stacks = {
    form,
    readable: view.readable,
    hasBoth: hasBothForms(view.event),
    settingsPath: paths.projectSourceMaps(org, project, { check: view.row.eventId }),
  }
  return <Context value={value}>{props.children}</Context>
}

function hasBothForms({ exception, threads, ...event }: StoredEvent): boolean {
  const all = [...(exception?.values ?? []), ...(threads?.values ?? []), event]
  return all.some(({ raw_stacktrace: ran }) => ran !== undefined)
}

/** The form of a stack that is to be shown, and its path in the event. */
export function useShownStack(given: {
  readonly stack: Stacktrace
  readonly ran: Stacktrace | undefined
  readonly path: string
}) {
  const { form } = useContext(Context)
  const { stack, ran, path } = given
  if (form === 'original' || ran === undefined) return { stack, path }
  return { stack: ran, path: path.replace(/stacktrace$/, 'raw_stacktrace') }
}

/** Returns the note of one frame, by the path of its stack and its place there. */
export function useFrameNote(path: string, index: number) {
  const { readable, settingsPath } = useContext(Context)
  const keyOf = (place: number) => `${path}.frames.${place}`
  const key = keyOf(index)
  const at = readable.byFrame[key]
  return {
    /** The frame above it has the same note. */
    isRepeated: at === readable.byFrame[keyOf(index + 1)],
    note: at === undefined ? null : (readable.notes[at] ?? null),
    link: readable.links[key] ?? null,
    settingsPath,
  }
}

/** "Original / Minified"; nothing where no stack has both. The choice is in the URL. */
export function StackFormSwitch() {
  const { form, hasBoth } = useContext(Context)
  const { pathname, search } = useLocation()
  if (!hasBoth) return null
  const others = Object.fromEntries(new URLSearchParams(search))
  const link = (to: StackForm, text: string) => (
    <PageLink
      to={withQuery(pathname, { ...others, stack: to === 'original' ? null : to })}
      preventScrollReset
      aria-current={form === to ? 'true' : undefined}
    >
      {text}
    </PageLink>
  )
  return (
    <Segmented label="Form of the stack">
      {link('original', 'Original')}
      {link('minified', 'Minified')}
    </Segmented>
  )
}

/** Line above the stacks if frames show minified code; nothing if all is read. */
export function UnreadFrames() {
  const { readable, settingsPath } = useContext(Context)
  const unread = readable.notes.filter(({ why }) => why !== 'no_source_in_map')
  if (unread.length === 0) return null
  const frames = unread.reduce((sum, note) => sum + note.frames, 0)
  return (
    <p className="mb-3 text-13 text-ink-2">
      {quantityText(frames, 'frame shows', 'frames show')} minified code.{' '}
      <PageLink className="link underline" to={settingsPath}>
        Source maps
      </PageLink>{' '}
      make {frames === 1 ? 'it' : 'them'} readable.{' '}
      <DocsLink to="readable-stacks#when-a-frame-stays-minified" />
    </p>
  )
}
