import { type FormEvent, type ReactNode, useRef } from 'react'
import { useToast } from '#ui/toast.tsx'
import { ActionForm, type Hidden } from '#wire/action-form.tsx'
import { LEAVE } from '#wire/names.ts'
import { FormRefusal, Submit } from './form-parts.tsx'
import { Seen } from './seen.tsx'

/**
 * A form of settings. It is refused where somebody else changed them since they were read, disabled for people who may
 * not change them, and says when they are saved.
 */
export function SettingsForm(props: {
  readonly action: string
  readonly hidden?: Hidden
  /** Values that the fields were filled with; `null` for what is new. */
  readonly seen: string | null
  /** Names the thing that the settings are of, where the page can change it. */
  readonly of?: string | number
  readonly mayWrite?: boolean
  /** Read out before the fields. */
  readonly legend?: string
  readonly submit?: string
  /** Look of the button, beside others on the page. */
  readonly isPlain?: boolean
  /** Notice after saving. */
  readonly saved?: string
  readonly className?: string
  readonly children: ReactNode
}) {
  const { action, hidden, seen, mayWrite = true, legend, submit = 'Save', saved = 'Saved' } = props
  const toast = useToast()
  const fields = useRef<HTMLFieldSetElement>(null)
  const end = () => {
    delete fields.current?.form?.dataset.unsaved
    toast({ text: saved })
  }
  return (
    <ActionForm action={action} {...(hidden && { hidden })} onResult={end}>
      <fieldset
        ref={fields}
        disabled={!mayWrite}
        onInput={markUnsaved}
        className={props.className ?? 'grid form-width gap-4'}
      >
        {legend === undefined ? null : <legend className="visually-hidden">{legend}</legend>}
        <FormRefusal />
        {seen === null ? null : <Seen key={props.of} values={seen} />}
        {props.children}
        {mayWrite ? (
          <div>
            <Submit variant={props.isPlain === true ? 'plain' : 'primary'}>{submit}</Submit>
          </div>
        ) : null}
      </fieldset>
    </ActionForm>
  )
}

/** Marks the form of a fieldset as typed into: leaving asks, until it is saved. */
export function markUnsaved({ currentTarget }: FormEvent<HTMLFieldSetElement>): void {
  if (currentTarget.form === null) return
  currentTarget.form.dataset.unsaved = ''
  // A function is added once, however often.
  for (const leaving of [LEAVE, 'beforeunload']) window.addEventListener(leaving, askBefore)
}

/** A form that is being sent asks nothing. Browsers have their own question before another document. */
function askBefore(leaving: Event): void {
  const unsaved = document.querySelectorAll<HTMLElement>('[data-unsaved][aria-busy=false]')
  if (unsaved.length === 0) return
  if (leaving.type !== LEAVE || !window.confirm('Leave without saving your changes?'))
    leaving.preventDefault()
  else for (const form of unsaved) delete form.dataset.unsaved // asked once, wherever the way leads
}
