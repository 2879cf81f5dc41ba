import { Icon } from '#ui/icons.tsx'

/** Before an entry of a menu that is chosen, or its room. */
export function Tick({ on }: { readonly on: boolean }) {
  return on ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />
}
