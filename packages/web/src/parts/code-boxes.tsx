import type { FormEvent } from 'react'
import { Field } from '#ui/field.tsx'
import { useActionForm } from '#wire/action-form.tsx'

const DIGITS = 6
const BOXES = Array.from({ length: DIGITS }, (_, at) => at)

/**
 * The six digits of an app: one field, so that pasting, filling in and reading aloud work, over six drawn boxes. It takes
 * “123 456” and, once hydrated, sends itself when it is full.
 */
export function CodeBoxes({ sendsItself = true }: { readonly sendsItself?: boolean }) {
  const { fields } = useActionForm()
  const keepDigits = ({ currentTarget: field, nativeEvent }: FormEvent<HTMLInputElement>) => {
    const digits = field.value.replaceAll(/\D/g, '').slice(0, DIGITS)
    if (field.value !== digits) field.value = digits
    const isTaken = nativeEvent instanceof InputEvent && nativeEvent.inputType.startsWith('delete')
    if (sendsItself && digits.length === DIGITS && !isTaken) field.form?.requestSubmit()
  }
  return (
    <Field label="Code from your app" errors={fields.code}>
      {(wired) => (
        <div className="code-boxes">
          {BOXES.map((at) => (
            <span key={at} aria-hidden="true" className="code-box" />
          ))}
          <input
            {...wired}
            name="code"
            className="code-digits"
            inputMode="numeric"
            autoComplete="one-time-code"
            // After a refusal the field has the focus: the next digits replace the wrong ones.
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={keepDigits}
            required
          />
        </div>
      )}
    </Field>
  )
}
