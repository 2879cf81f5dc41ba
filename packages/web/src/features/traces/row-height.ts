/** How high a row of the waterfall is: on a phone as high as a finger wants it. As `max-phone:` of the style sheets. */
import { useSyncExternalStore } from 'react'
import { ROW_HEIGHT } from './span-time.tsx'

const TOUCHED_ROW_HEIGHT = 44
const PHONE = '(max-width: 43.74rem)'

export function useRowHeight(): number {
  return useSyncExternalStore(
    subscribeToWidth,
    () => (matchMedia(PHONE).matches ? TOUCHED_ROW_HEIGHT : ROW_HEIGHT),
    () => ROW_HEIGHT,
  )
}

function subscribeToWidth(changed: () => void): () => void {
  const phone = matchMedia(PHONE)
  phone.addEventListener('change', changed)
  return () => phone.removeEventListener('change', changed)
}
