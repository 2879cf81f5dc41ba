import { useRef } from 'react'
import { useShortcuts } from './shortcuts.tsx'

/** Makes `j` and `k` walk the rows of a table by the links that open them; Enter opens, as of any link. */
export function useRowKeys() {
  const list = useRef<HTMLDivElement>(null)
  const walk = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.row-link') ?? [])]
    const focused = document.activeElement
    const at = focused instanceof HTMLElement ? links.indexOf(focused) : -1
    const to = links[at === -1 ? (step > 0 ? 0 : links.length - 1) : at + step]
    to?.focus()
    to?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts([
    { keys: 'j', label: 'Next row', run: () => walk(1) },
    { keys: 'k', label: 'Previous row', run: () => walk(-1) },
  ])
  return list
}
