import { FIND_FORM, takesFirst } from './choices.ts'

/**
 * Field to find something among many. Without script it belongs to a form of its own, whatever form it stands
 * in.
 */
export function FindField(props: {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  /** Enter was pressed. */
  readonly onTake: () => void
  readonly className?: string
}) {
  return (
    <input
      form={FIND_FORM}
      name="find"
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      className={props.className ?? 'field touch w-full'}
      aria-label={props.label}
      placeholder={props.label}
      defaultValue={props.text}
      onInput={(event) => props.onText(event.currentTarget.value)}
      onKeyDown={takesFirst(props.onTake)}
    />
  )
}
