import type { ReactNode } from 'react'
import { KeptFields } from './kept-fields.tsx'
import type { Query } from './paths.ts'

/** The search of a list by plain text, a form that works before JavaScript has loaded. */
export function FindForm(props: {
  /** Path of the list. */
  readonly action: string
  readonly name?: string
  readonly text: string
  readonly label: string
  readonly placeholder: string
  /** Query of the address, which stays but for the search itself. */
  readonly kept?: Query
  readonly charsMax?: number
  readonly className?: string
  readonly fieldClass?: string
  readonly children?: ReactNode
}) {
  const { action, name = 'query', text, label, placeholder, kept = {}, children } = props
  return (
    <search className={props.className ?? 'min-w-40 flex-1'}>
      <form method="get" action={action} className={children === undefined ? undefined : 'flex gap-2'}>
        <KeptFields query={{ ...kept, [name]: null }} />
        <input
          // Another address brings another search.
          key={text}
          type="search"
          name={name}
          className={props.fieldClass ?? 'field touch w-full'}
          defaultValue={text}
          maxLength={props.charsMax}
          placeholder={placeholder}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
        />
        {children}
      </form>
    </search>
  )
}
