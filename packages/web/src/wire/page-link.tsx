import type { ComponentProps, MouseEvent } from 'react'
import { withBasePath } from './base-path.ts'
import { useNavigate } from './router.ts'
import { useWire } from './wire-context.ts'

export interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** From `paths.ts`. */
  readonly to: string
  /** Asks for the page's data and script as soon as the pointer, focus or finger is on the link. */
  readonly prefetch?: boolean
  /** Takes the place of this page in the history. */
  readonly replace?: boolean
  /** Leaves the scroll position as it is. */
  readonly preventScrollReset?: boolean
}

/** A real link to another page of the app; middle click and no script work. */
export function PageLink(props: PageLinkProps) {
  const {
    to,
    prefetch,
    replace,
    preventScrollReset,
    onClick,
    onPointerEnter,
    onFocus,
    onTouchStart,
    ...rest
  } = props
  const { client, preloadView } = useWire()
  const navigate = useNavigate()
  const warm = () => {
    if (prefetch !== true || client === null) return
    preloadView(to)
    client.prefetch(to)
  }
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlainClick(event)) return
        event.preventDefault()
        void navigate(to, {
          replace: replace ?? isHere(to),
          preventScrollReset: preventScrollReset ?? false,
        })
      }}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        if (event.pointerType === 'mouse') warm()
      }}
      onFocus={(event) => {
        onFocus?.(event)
        warm()
      }}
      onTouchStart={(event) => {
        onTouchStart?.(event)
        warm()
      }}
    />
  )
}

/** True for a click that the browser would follow in this tab; every other stays the browser's. */
function isPlainClick(event: MouseEvent<HTMLAnchorElement>): boolean {
  // Of a link inside an `svg` the property is no text.
  const target = event.currentTarget.getAttribute('target') ?? ''
  if (event.defaultPrevented || event.button !== 0 || (target !== '' && target !== '_self')) return false
  return !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
}

function isHere(to: string): boolean {
  return new URL(withBasePath(to), window.location.href).href === window.location.href
}
