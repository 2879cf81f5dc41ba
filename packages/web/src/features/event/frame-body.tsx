/** Body of an open frame: source around the line, and the local variables. */

import { isJavaScript, isMinified, type StackFrame, sourceLines } from '#parts/stack-frame.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { FrameLinks, FrameNotes } from './frame-notes.tsx'
import { type PlacedFrame, withoutSource } from './frames.ts'
import { LeftOut, Scrubbed } from './scrubbed.tsx'
import { useFrameNote } from './stack-notes.tsx'
import { lineText } from './value-text.ts'

const VARS_SHOWN = 30

export function FrameBody(props: {
  readonly placed: PlacedFrame
  readonly path: string
  readonly platform: string
  /** The same frame as it ran. */
  readonly ran?: StackFrame | undefined
}) {
  const { frame, index } = props.placed
  const lines = sourceLines(frame)
  const { note } = useFrameNote(props.path, index)
  return (
    <div className="border-t max-phone:flex max-phone:flex-col">
      <FrameLinks frame={frame} path={props.path} index={index} />
      {lines.length === 0 ? (
        <p className="bg-sunken px-3 py-2 text-12 text-ink-3">{withoutSource(frame, props.platform)}</p>
      ) : (
        <CodeBlock
          label={sourceLabel(props.placed)}
          lines={lines}
          column={frame.colno}
          highlights={isJavaScript(frame, props.platform)}
        />
      )}
      {note === null && props.ran === undefined && isMinified(frame) ? (
        <p className="border-t px-3 py-1.5 text-12 text-ink-3">
          Minified code. Source maps make it readable.
        </p>
      ) : null}
      <FrameNotes frame={frame} ran={props.ran} path={props.path} index={index} />
      <Locals frame={frame} platform={props.platform} path={`${props.path}.frames.${index}.vars`} />
    </div>
  )
}

/** Names the code apart from that of the other frames: many have no name of their own. */
function sourceLabel({ frame, index }: PlacedFrame): string {
  const at = [frame.filename, frame.lineno].filter((part) => part !== undefined && part !== null).join(':')
  return `Source of ${[frame.function ?? 'the frame', at, `frame ${index + 1}`].filter(Boolean).join(', ')}`
}

/** Platforms whose SDKs send locals as the language's own text of them, quotes included. */
const REPR_PLATFORMS: readonly string[] = ['python', 'ruby', 'php']

function Locals(props: { readonly frame: StackFrame; readonly path: string; readonly platform: string }) {
  const { frame, path } = props
  const isRepr = REPR_PLATFORMS.includes(props.platform)
  const vars = Object.entries(frame.vars ?? {})
  if (vars.length === 0) return null
  return (
    <dl className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 border-t px-3 py-2.5 font-mono text-12 leading-5">
      {vars.slice(0, VARS_SHOWN).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="foreign max-w-48 text-ink-3">{name}</dt>
          <dd className="foreign">
            <Scrubbed
              text={isRepr && typeof value === 'string' ? value : lineText(value)}
              path={`${path}.${name}`}
            />
          </dd>
        </div>
      ))}
      {vars.length > VARS_SHOWN ? (
        <dd className="col-span-2 text-ink-3">{vars.length - VARS_SHOWN} more in the JSON</dd>
      ) : null}
      <LeftOut path={path} />
    </dl>
  )
}
