/** Rules, one a line: numbered, coloured by tone, and what is wrong of a line says so at that line. */
import { type ComponentProps, type ReactNode, type UIEvent, useId, useRef, useState } from 'react'
import { Icon } from '#ui/icons.tsx'
import { useHydrated } from '#ui/time.tsx'
import { useActionForm } from '#wire/action-form.tsx'
import { atTheirLines, type LineProblem, piecesOf } from './rule-lines.ts'

/** A longer text is a plain field: each key would draw it all anew. */
const DRAWN_CHARS_MAX = 20_000

interface Props extends Omit<ComponentProps<'textarea'>, 'name' | 'defaultValue' | 'value'> {
  readonly name: string
  readonly label: ReactNode
  readonly hint: string
  readonly initial: string
  /** Problems of lines as they stand, beside those of a refusal. */
  readonly problems?: readonly LineProblem[]
}

export function RuleEditor({ name, label, hint, initial, problems = [], rows = 8, ...rest }: Props) {
  const form = useActionForm()
  const id = useId()
  const typed = form.values[name]
  const [text, setText] = useState(typeof typed === 'string' ? typed : initial)
  const refused = form.fields[name]
  // What a refusal says is of the text that was sent: lines changed since are not marked.
  const [checked, setChecked] = useState({ refused, text })
  if (checked.refused !== refused) setChecked({ refused, text })
  const field = useRef<HTMLTextAreaElement>(null)
  const [scroll, setScroll] = useState({ top: 0, left: 0 })
  const isDrawn = useHydrated() && text.length <= DRAWN_CHARS_MAX
  const { lines, others } = atTheirLines({ refused: refused ?? [], problems, sent: checked.text, text })
  const isBroken = refused !== undefined && refused.length > 0

  function goTo(line: number) {
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    field.current?.focus()
    field.current?.setSelectionRange(start, start + (text.split('\n')[line - 1] ?? '').length)
  }
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-13">
        {label}
      </label>
      <div className="rules" data-drawn={isDrawn ? '' : undefined}>
        {isDrawn ? <Drawn text={text} said={lines} scroll={scroll} /> : null}
        <textarea
          {...rest}
          ref={field}
          id={id}
          name={name}
          rows={rows}
          wrap="off"
          spellCheck={false}
          aria-invalid={isBroken ? true : undefined}
          aria-describedby={`${id}-note`}
          className="field field-mono rules-text"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onScroll={({ currentTarget: { scrollTop, scrollLeft } }: UIEvent<HTMLTextAreaElement>) =>
            setScroll({ top: scrollTop, left: scrollLeft })
          }
        />
      </div>
      <div id={`${id}-note`} role={isBroken ? 'alert' : undefined} className="text-12">
        {[...lines].map(([line, says]) => (
          <p key={line} className="flex gap-1 text-bad">
            <Icon name="exclamation" size={14} className="mt-px shrink-0" />
            <span className="foreign min-w-0">
              <button type="button" className="link underline" onClick={() => goTo(line)}>
                Line {line}
              </button>
              : {says.join(' ')}
            </span>
          </p>
        ))}
        {others.length === 0 ? null : <p className="foreign text-bad">{others.join(' ')}</p>}
        {isBroken ? null : <p className="text-ink-3">{hint}</p>}
      </div>
    </div>
  )
}

function Drawn(props: {
  readonly text: string
  readonly said: ReadonlyMap<number, readonly string[]>
  readonly scroll: { readonly top: number; readonly left: number }
}) {
  const { text, said, scroll } = props
  return (
    <div className="rules-drawn" aria-hidden="true">
      <div style={{ transform: `translate(${-scroll.left}px, ${-scroll.top}px)` }}>
        {text.split('\n').map((line, index) => {
          const says = said.get(index + 1)
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              key={index}
              className={says === undefined ? 'rules-line' : 'rules-line rules-bad'}
              data-line={index + 1}
            >
              {piecesOf(line).map(({ at, text: piece, tone }) => (
                <span key={at} className={tone === null ? undefined : `rules-${tone}`}>
                  {piece}
                </span>
              ))}
              {says === undefined ? null : <span className="rules-says">{says.join(' ')}</span>}
            </div>
          )
        })}
      </div>
    </div>
  )
}
