import { type ReactNode, useId } from 'react'
import { Checkbox } from '#ui/checkbox.tsx'
import { useActionForm } from '#wire/action-form.tsx'

/** Off or on. `end` stands at the end of the label's line; the broken rule or the hint stands below. */
export function FormTick(props: {
  readonly name: string
  readonly label: string
  readonly initial: boolean
  readonly hint?: ReactNode
  readonly end?: ReactNode
}) {
  const { name, label, initial, hint, end } = props
  const form = useActionForm()
  const id = useId()
  const errors = form.fields[name] ?? []
  // After a refused post a box that was not ticked is absent from what was typed.
  const isOn = Object.keys(form.values).length === 0 ? initial : form.values[name] === 'on'
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-2">
        <Checkbox name={name} label={label} showLabel defaultChecked={isOn} aria-describedby={`${id}-note`} />
        {end}
      </div>
      <p
        id={`${id}-note`}
        className={`ps-6 text-12 max-phone:-mt-3 ${errors.length > 0 ? 'text-bad' : 'text-ink-3'}`}
      >
        {errors.length > 0 ? errors.join(' ') : hint}
      </p>
    </div>
  )
}
