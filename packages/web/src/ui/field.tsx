import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { Icon } from './icons.tsx'
import { PasswordInput } from './password-input.tsx'

interface FieldShell {
  readonly label: ReactNode
  /** Keeps the label for assistive technology alone. */
  readonly labelHidden?: boolean
  /** At the end of the label's line, such as a link. */
  readonly labelEnd?: ReactNode
  /** Hint below the field: its purpose or what it takes. */
  readonly hint?: ReactNode
  /** The rules it broke, in words; shown beside it in place of the hint. */
  readonly errors?: readonly string[] | undefined
}

interface Wired {
  readonly id: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

/** Label above, control, rule or hint below. `children` gets the attributes that tie the three together. */
export function Field(props: FieldShell & { readonly children: (wired: Wired) => ReactNode }) {
  const id = useId()
  const broken = props.errors !== undefined && props.errors.length > 0
  const described = broken || props.hint !== undefined
  return (
    <div className="grid gap-1">
      <FieldLabel {...props} id={id} />
      {props.children({
        id,
        'aria-invalid': broken ? true : undefined,
        'aria-describedby': described ? `${id}-note` : undefined,
      })}
      {broken ? (
        <p id={`${id}-note`} role="alert" className="flex gap-1 text-12 text-bad">
          <Icon name="exclamation" size={14} />
          <span>{props.errors?.join(' ')}</span>
        </p>
      ) : props.hint === undefined ? null : (
        <p id={`${id}-note`} className="text-12 text-ink-3">
          {props.hint}
        </p>
      )}
    </div>
  )
}

function FieldLabel({ id, label, labelHidden, labelEnd }: FieldShell & { readonly id: string }) {
  const named = (
    <label htmlFor={id} className={labelHidden === true ? 'visually-hidden' : 'text-13'}>
      {label}
    </label>
  )
  if (labelEnd === undefined) return named
  return (
    <div className="flex items-baseline justify-between gap-2">
      {named}
      {labelEnd}
    </div>
  )
}

/** A line of text. `mono` for keys, slugs and codes. */
export function TextField(
  props: FieldShell &
    InputHTMLAttributes<HTMLInputElement> & {
      readonly mono?: boolean
      /** Stands in the field, after what is typed: `days`. */
      readonly unit?: string
    },
) {
  const { label, labelHidden, labelEnd, hint, errors, mono, unit, className, ...rest } = props
  const Input = rest.type === 'password' ? PasswordInput : 'input'
  return (
    <Field {...shell({ label, labelHidden, labelEnd, hint, errors })}>
      {(wired) => (
        <WithUnit unit={unit}>
          <Input
            {...rest}
            {...wired}
            {...(unit !== undefined && { 'aria-description': unit })}
            className={`field ${mono === true ? 'field-mono' : ''} ${className ?? ''}`}
          />
        </WithUnit>
      )}
    </Field>
  )
}

function WithUnit({ unit, children }: { readonly unit: string | undefined; readonly children: ReactNode }) {
  if (unit === undefined) return children
  return (
    <span className="field-box">
      {children}
      <span aria-hidden="true" className="field-unit">
        {unit}
      </span>
    </span>
  )
}

/** Several lines. */
export function TextArea(
  props: FieldShell & TextareaHTMLAttributes<HTMLTextAreaElement> & { readonly mono?: boolean },
) {
  const { label, labelHidden, labelEnd, hint, errors, mono, className, ...rest } = props
  return (
    <Field {...shell({ label, labelHidden, labelEnd, hint, errors })}>
      {(wired) => (
        <textarea
          {...rest}
          {...wired}
          className={`field ${mono === true ? 'field-mono' : ''} ${className ?? ''}`}
        />
      )}
    </Field>
  )
}

/** Select; `children` are its `<option>`s. */
export function SelectField(props: FieldShell & SelectHTMLAttributes<HTMLSelectElement>) {
  const { label, labelHidden, labelEnd, hint, errors, className, children, ...rest } = props
  return (
    <Field {...shell({ label, labelHidden, labelEnd, hint, errors })}>
      {(wired) => (
        <select {...rest} {...wired} className={`field ${className ?? ''}`}>
          {children}
        </select>
      )}
    </Field>
  )
}

function shell(props: {
  readonly label: ReactNode
  readonly labelHidden: boolean | undefined
  readonly labelEnd: ReactNode
  readonly hint: ReactNode
  readonly errors: readonly string[] | undefined
}): FieldShell {
  return {
    label: props.label,
    errors: props.errors,
    labelEnd: props.labelEnd,
    ...(props.labelHidden === undefined ? {} : { labelHidden: props.labelHidden }),
    ...(props.hint === undefined ? {} : { hint: props.hint }),
  }
}
