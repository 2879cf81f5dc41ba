import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from '#wire/router.ts'
import type { Offer } from './search-offers.tsx'

/** A search field with offers below it, as a combobox has them: what the field needs, and what `SearchOffers` does. */
export function useOffers(takeSearch: (offer: Offer) => void) {
  const navigate = useNavigate()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const [known, setKnown] = useState<readonly Offer[]>([])
  const offers = isOpen ? known : []
  const open = () => setIsOpen(true)
  const close = () => setIsOpen(false)
  const take = (offer: Offer) => {
    if (offer.to === undefined) return takeSearch(offer)
    close()
    void navigate(offer.to)
  }
  return {
    isOpen,
    close,
    /** Notes that the text changed: nothing is chosen yet. */
    type: () => {
      setIsOpen(true)
      setChosen(-1)
    },
    keyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === 'Escape') {
        if (offers.length === 0) return event.currentTarget.blur()
        // A search field would be emptied by it.
        event.preventDefault()
        close()
      } else if (offers.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        event.preventDefault()
        const step = event.key === 'ArrowDown' ? 1 : -1
        setChosen((chosen + step + offers.length) % offers.length)
      } else if (event.key === 'Enter' || event.key === 'Tab') {
        const offer = offers[chosen]
        if (offer === undefined) return
        event.preventDefault()
        setChosen(-1)
        take(offer)
      }
    },
    field: {
      onFocus: open,
      onClick: open,
      onBlur: close,
      role: 'combobox',
      'aria-expanded': offers.length > 0,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': chosen >= 0 ? `${listId}-${chosen}` : undefined,
      autoComplete: 'off',
      spellCheck: false,
    },
    list: {
      listId,
      chosen,
      setKnown,
      take: (offer: Offer) => {
        setChosen(-1)
        take(offer)
      },
    },
  } as const
}
