/** Parts of forms that know their ActionForm: values typed before a refusal, broken rules, what is running. */
import type { ComponentProps, ReactNode } from 'react'
import { Button, type ButtonVariant } from '#ui/button.tsx'
import { ErrorLine } from '#ui/error-box.tsx'
import { SelectField, TextArea, TextField } from '#ui/field.tsx'
import { useActionForm } from '#wire/action-form.tsx'
import { LINKS } from '#wire/error-text.ts'

type Named<P> = Omit<P, 'name' | 'defaultValue' | 'value' | 'errors'> & {
  readonly name: string
  /** Initial value. */
  readonly initial?: string | number | null | undefined
}

/** Gives a field its broken rules, and the text that was typed before a refusal. */
function useFieldState({ name, initial }: Named<object>) {
  const { fields, values } = useActionForm()
  return { errors: fields[name], defaultValue: singleText(values[name]) ?? initial ?? '' }
}

export function FormText({ initial, ...rest }: Named<ComponentProps<typeof TextField>>) {
  return <TextField {...rest} {...useFieldState({ name: rest.name, initial })} />
}

export function FormLines({ initial, ...rest }: Named<ComponentProps<typeof TextArea>>) {
  return <TextArea {...rest} {...useFieldState({ name: rest.name, initial })} />
}

export function FormSelect({ initial, ...rest }: Named<ComponentProps<typeof SelectField>>) {
  return <SelectField {...rest} {...useFieldState({ name: rest.name, initial })} />
}

/** Why the form was refused, when that is not said beside a field. */
export function FormRefusal() {
  const { error, fields } = useActionForm()
  const isBeside = error?.code === 'invalid_input' && Object.keys(fields).length > 0
  if (error === null || isBeside) return null
  return (
    <ErrorLine>
      {error.message}
      {error.address === undefined ? null : (
        <>
          {' '}
          <a className="link" href={error.address}>
            {LINKS.address}
          </a>
        </>
      )}
    </ErrorLine>
  )
}

/** Broken rules of what has no field that shows them itself, such as a list of boxes. */
export function FieldErrors({ name }: { readonly name: string }) {
  const { fields } = useActionForm()
  return (fields[name] ?? []).map((rule) => <ErrorLine key={rule}>{rule}</ErrorLine>)
}

export function Submit(props: {
  readonly variant?: ButtonVariant
  readonly children: ReactNode
  readonly size?: 'small'
}) {
  const { pending } = useActionForm()
  return (
    <Button
      type="submit"
      variant={props.variant ?? 'primary'}
      busy={pending}
      {...(props.size === undefined ? {} : { size: props.size })}
    >
      {props.children}
    </Button>
  )
}

function singleText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
