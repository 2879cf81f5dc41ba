/** A stack, newest call first: frames of the app open, runs of libraries folded into one counted row. */

import type { ReactNode } from 'react'
import { framePlace, type StackFrame, type Stacktrace } from '#parts/stack-frame.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import { FrameBody } from './frame-body.tsx'
import { UnreadMark } from './frame-notes.tsx'
import { type FramesShown, type PlacedFrame, type StackRow, stackRows } from './frames.ts'
import { useFrameNote, useShownStack } from './stack-notes.tsx'

interface StackPlace {
  readonly path: string
  /** Stack that ran, if `stack` is of the sources. */
  readonly ran?: Stacktrace | undefined
  /** Another exception of the event has frames of the app. */
  readonly isBesideApp?: boolean
  readonly platform: string
}

export function Stack(props: StackPlace & { readonly stack: Stacktrace; readonly shown: FramesShown }) {
  const { shown } = props
  const { stack, path } = useShownStack({ ...props, ran: props.ran })
  const place = { ...props, path }
  const { frames_repeated: stored = [] } = stack
  const rows = stackRows(stack.frames, shown, { stored, isBesideApp: props.isBesideApp ?? false })
  const omitted = stack.frames_omitted ?? 0
  return (
    <ol>
      {rows.map((row) => (
        <li key={stackRowKey(row)} className="border-t">
          <Row row={row} place={place} />
        </li>
      ))}
      {omitted === 0 ? null : (
        <li className="border-t px-3 py-1.5 text-12 text-ink-3">
          {quantityText(omitted, 'frame was', 'frames were')} left out
        </li>
      )}
    </ol>
  )
}

function stackRowKey(row: StackRow): string {
  return row.kind === 'frame' ? `frame ${row.placed.index}` : `${row.kind} ${row.frames[0]?.index ?? ''}`
}

function Row({ row, place }: { readonly row: StackRow; readonly place: StackPlace }) {
  if (row.kind === 'frame') return <FrameRow row={row} place={place} />
  return row.kind === 'run' ? <RunRow run={row} place={place} /> : <RepeatRow repeat={row} place={place} />
}

const SUMMARY =
  'flex min-h-8 items-center gap-2 px-3 py-1 text-12 hover:bg-hover focus-visible:-outline-offset-2 max-phone:min-h-11'

function FrameRow({
  row,
  place,
}: {
  readonly row: Extract<StackRow, { kind: 'frame' }>
  readonly place: StackPlace
}) {
  const { note } = useFrameNote(place.path, row.placed.index)
  return (
    <details open={row.isOpen} className="group/frame relative">
      <summary className={`${SUMMARY} ${note === null ? 'phone:group-open/frame:pe-68' : ''}`}>
        <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3 group-open/frame:rotate-90" />
        <FrameTitle placed={row.placed} />
        <span className="ms-auto flex shrink-0 gap-4 text-ink-3">
          <UnreadMark path={place.path} index={row.placed.index} />
          {row.placed.frame.in_app === true && !row.isOpen ? (
            <span className="max-phone:hidden">in app</span>
          ) : null}
        </span>
      </summary>
      <FrameBody
        placed={row.placed}
        path={place.path}
        platform={place.platform}
        ran={place.ran?.frames[row.placed.index]}
      />
    </details>
  )
}

function FrameTitle({ placed }: { readonly placed: PlacedFrame }) {
  const { frame } = placed
  const { file, position } = framePlace(frame)
  const isApp = frame.in_app === true
  const name = frameName(frame)
  return (
    <code className="foreign min-w-0">
      <span className={isApp ? 'font-strong text-ink' : 'text-ink-2'}>{visibleText(name)}</span>{' '}
      <span className="text-ink-2" title={frame.abs_path}>
        {file === name ? null : shortFile(file)}
      </span>
      <span className="text-ink-3">{position}</span>
    </code>
  )
}

/** Browsers and Node call a function without a name "?"; compiled code without symbols has its address alone. */
function frameName({ function: own, raw_function: raw, instruction_addr: address }: StackFrame): string {
  return [own, raw, address].find((name) => name !== undefined && name !== '?') ?? '<anonymous>'
}

const FILE_CHARS_MAX = 160

function shortFile(file: string): string {
  const text = visibleText(file)
  return text.length <= FILE_CHARS_MAX ? text : `…${text.slice(-FILE_CHARS_MAX)}`
}

/** Calls that repeat: the newest round stands above. */
function RepeatRow({
  repeat,
  place,
}: {
  readonly repeat: Extract<StackRow, { kind: 'repeat' }>
  readonly place: StackPlace
}) {
  return (
    <FoldedRow
      frames={repeat.frames}
      place={place}
      text={
        <>
          <strong>× {numberText(repeat.times)}</strong>{' '}
          {repeat.size === 1 ? 'this call repeats' : `these ${repeat.size} calls repeat`}
        </>
      }
    />
  )
}

function RunRow({
  run,
  place,
}: {
  readonly run: Extract<StackRow, { kind: 'run' }>
  readonly place: StackPlace
}) {
  return (
    <FoldedRow
      frames={run.frames}
      place={place}
      text={
        <>
          {quantityText(run.frames.length, 'frame')}
          {run.libraries.length === 0 ? ' of libraries' : ' of '}
          {run.libraries.map((name, index) => (
            <span key={name}>
              {index === 0 ? '' : ' and '}
              <code>{name}</code>
            </span>
          ))}
        </>
      }
    />
  )
}

function FoldedRow(props: {
  readonly frames: readonly PlacedFrame[]
  readonly place: StackPlace
  readonly text: ReactNode
}) {
  return (
    <details className="group/run bg-sunken">
      <summary className={`${SUMMARY} text-ink-3`}>
        <Icon name="chevron-right" size={12} className="shrink-0 group-open/run:rotate-90" />
        <span className="foreign min-w-0 flex-1">{props.text}</span>
        <span className="link shrink-0 group-open/run:hidden">Show</span>
        <span className="link hidden shrink-0 group-open/run:inline">Hide</span>
      </summary>
      <ol className="bg-canvas">
        {props.frames.map((placed) => (
          <li key={placed.index} className="border-t">
            <FrameRow row={{ kind: 'frame', placed, isOpen: false }} place={props.place} />
          </li>
        ))}
      </ol>
    </details>
  )
}
