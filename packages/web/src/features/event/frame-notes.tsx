/** Around the source of a frame: why it can’t be read and what to do, or where it ran and where its source is. */
import { framePlace, type StackFrame } from '#parts/stack-frame.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Icon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { safeHref } from '#ui/safe-href.ts'
import { visibleText } from '#ui/visible-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { type UnresolvedNote, useFrameNote } from './stack-notes.tsx'

interface FramePlace {
  /** Path of the frame's stack in the event. */
  readonly path: string
  readonly index: number
}

/** At the end of a frame's title; on a phone there is room for the sign alone. */
export function UnreadMark({ path, index }: FramePlace) {
  const { note, isRepeated } = useFrameNote(path, index)
  if (note === null) return null
  if (isRepeated) return <span className="max-phone:hidden">same file</span>
  return (
    <span className="flex items-center gap-1.5 text-warn">
      <LevelMark level="warning" />
      <span className="max-phone:hidden">{note.title.charAt(0).toLowerCase() + note.title.slice(1)}</span>
    </span>
  )
}

export function FrameNotes(
  props: FramePlace & { readonly frame: StackFrame; readonly ran: StackFrame | undefined },
) {
  const { note, settingsPath } = useFrameNote(props.path, props.index)
  return (
    <>
      {note === null ? null : <Unread note={note} settingsPath={settingsPath} />}
      <RanAs frame={props.frame} ran={props.ran} />
    </>
  )
}

function Unread({ note, settingsPath }: { readonly note: UnresolvedNote; readonly settingsPath: string }) {
  return (
    <div className="grid gap-x-6 gap-y-3 border-t px-3 py-3 text-13 wide:grid-cols-2">
      <div className="min-w-0">
        <h4 className="mb-1 text-12 font-strong text-warn">{note.title}</h4>
        <p className="foreign text-ink-2">{note.cause}</p>
        <PageLink className="link link-alone mt-1 inline-block text-12" to={settingsPath}>
          See each step of the lookup
        </PageLink>
      </div>
      <div className="min-w-0">
        <h4 className="mb-1 text-12 font-strong">What to do</h4>
        <p className="text-ink-2">{note.next}</p>
        {note.command === null ? null : <Command text={note.command} />}
      </div>
    </div>
  )
}

function Command({ text }: { readonly text: string }) {
  return (
    <div className="mt-2 flex items-start gap-2 rounded-field border bg-sunken px-3 py-2">
      <code className="foreign min-w-0 flex-1 text-12 whitespace-pre-wrap">{text}</code>
      <CopyButton text={text} name="Copy the command" />
    </div>
  )
}

/** Links to the source of an open frame: at the end of its title, where that has room, else below the code. */
export function FrameLinks({ frame, path, index }: FramePlace & { readonly frame: StackFrame }) {
  const { note, link } = useFrameNote(path, index)
  const { file, position } = framePlace(frame)
  const href = safeHref(link ?? undefined)
  if (position === '') return null
  return (
    <div
      className={`flex items-center justify-end gap-3 px-3 text-12 text-ink-3 max-phone:order-last max-phone:border-t ${note === null ? 'phone:absolute phone:end-0 phone:top-0 phone:h-8' : 'phone:py-1.5'}`}
    >
      <span className="inline-flex items-center gap-1">
        Copy path:line
        <CopyButton text={`${file}:${frame.lineno}`} name={`Copy ${file}:${frame.lineno}`} />
      </span>
      {href === undefined ? null : (
        <a
          className="link inline-flex items-center gap-1 max-phone:py-3.5"
          href={href}
          rel="noreferrer noopener"
          target="_blank"
        >
          <Icon name="arrow" size={12} />
          Open in repository
        </a>
      )}
    </div>
  )
}

function RanAs({ frame, ran }: { readonly frame: StackFrame; readonly ran: StackFrame | undefined }) {
  if (frame.data?.symbolicated !== true || ran === undefined) return null
  const { file, position } = framePlace(ran)
  return (
    <p className="foreign border-t px-3 py-1.5 text-12 text-ink-3">
      Ran as{' '}
      <code>
        {visibleText(ran.function ?? '')} {visibleText(file)}
        {position}
      </code>
      {frame.data.resolved_with === 'release' ? ', resolved by release' : ', resolved by debug ID'}
    </p>
  )
}
