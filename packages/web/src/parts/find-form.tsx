import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCan, useFrame } from './frame-data.ts'
import { KeptFields } from './kept-fields.tsx'
import type { Query } from './paths.ts'
import { useOffers } from './use-offers.ts'

const PeopleOffers = lazy(async () => ({ default: (await import('./people-offers.tsx')).PeopleOffers }))

/**
 * The search of a list by plain text, a form that works before JavaScript has loaded. Affected people whom the text
 * names are offered below it.
 */
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
  const { org } = useFrame()
  const mayFind = useCan('issue.read')
  const [draft, setDraft] = useState<string | null>(null)
  const offers = useOffers(() => undefined)
  return (
    <search className={props.className ?? 'min-w-40 flex-1'}>
      <form
        method="get"
        action={action}
        className={children === undefined ? 'relative' : 'relative flex gap-2'}
      >
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
          onChange={(event) => {
            setDraft(event.target.value)
            offers.type()
          }}
          onKeyDown={offers.keyDown}
          {...offers.field}
        />
        <Suspense fallback={null}>
          {offers.isOpen && draft !== null && mayFind && org !== null ? (
            <PeopleOffers org={org.slug} draft={draft} {...offers.list} />
          ) : null}
        </Suspense>
        {children}
      </form>
    </search>
  )
}
