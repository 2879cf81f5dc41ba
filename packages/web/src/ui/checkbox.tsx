import { type InputHTMLAttributes, type ReactNode, useCallback } from 'react'

/** Off, on or some. `label` names it; it is shown when `showLabel` is set. */
export function Checkbox(
  props: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
    readonly label: ReactNode
    readonly showLabel?: boolean
    readonly some?: boolean
  },
) {
  const { label, showLabel, some, className, ...rest } = props
  // A ref callback, because "some" exists only as a property of the element.
  const ref = useCallback(
    (element: HTMLInputElement | null) => {
      if (element !== null) element.indeterminate = some === true
    },
    [some],
  )
  return (
    <label className={`inline-flex items-center gap-2 text-13 ${className ?? ''}`}>
      <input {...rest} ref={ref} type="checkbox" className="check" />
      <span className={showLabel === true ? undefined : 'visually-hidden'}>{label}</span>
    </label>
  )
}
