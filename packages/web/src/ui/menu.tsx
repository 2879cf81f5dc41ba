import { type ReactNode, type ToggleEvent, useId } from 'react'
import { Icon } from './icons.tsx'

/**
 * A button that opens a list of links or buttons. It is the platform's own popover: opens without JavaScript, lies
 * above everything, closes on Escape and on a press outside. The arrow keys are added when JavaScript is there.
 */
export function Menu(props: {
  /** Label of the button. */
  readonly label: ReactNode
  /** Its accessible name, when what it shows is an icon or a value without its subject. */
  readonly name?: string
  readonly className?: string
  readonly align?: 'start' | 'end'
  readonly chevron?: boolean
  readonly disabledReason?: string | undefined
  /** Called with true when it opens. */
  readonly onOpen?: (open: boolean) => void
  /** Gives the button an id, for shortcuts that press it. */
  readonly buttonId?: string
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <>
      <button
        type="button"
        id={props.buttonId}
        popoverTarget={id}
        className={props.className ?? 'btn'}
        aria-label={props.name}
        aria-haspopup="true"
        disabled={props.disabledReason !== undefined}
        title={props.disabledReason ?? props.name}
      >
        {props.label}
        {props.chevron === false ? null : <Icon name="chevron-down" size={14} />}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus among its buttons and links */}
      <div
        id={id}
        popover="auto"
        className={props.align === 'end' ? 'menu menu-end' : 'menu'}
        onToggle={(event) => noteMenuOpen(event, props.onOpen)}
        onKeyDown={(event) => moveFocus(event.currentTarget, event)}
        onClick={(event) => closeAfterChoice(event.currentTarget, event.target)}
      >
        {props.children}
      </div>
    </>
  )
}

/** Looks of an entry, for the links and submit buttons that a menu holds. */
export const menuItem = 'menu-item'

/** A heading above some entries. */
export function MenuHead({ children }: { readonly children: ReactNode }) {
  return <div className="menu-head">{children}</div>
}

/** Divides groups of entries. */
export function MenuLine() {
  return <hr className="menu-line" />
}

const ENTRIES = 'a[href], button:not(:disabled), input:not(:disabled, [type=hidden])'

function noteMenuOpen(event: ToggleEvent<HTMLElement>, onOpen: ((open: boolean) => void) | undefined): void {
  const menu = event.currentTarget
  const isOpen = event.newState === 'open'
  onOpen?.(isOpen)
  if (!isOpen) return
  if (!CSS.supports('position-area', 'block-end')) placeByHand(menu)
  menu.querySelector<HTMLElement>(ENTRIES)?.focus()
}

/** Places the menu by hand in browsers that cannot anchor: below the button, within the window. */
function placeByHand(menu: HTMLElement): void {
  const button = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`)
  if (button === null) return
  const box = button.getBoundingClientRect()
  const left = menu.classList.contains('menu-end') ? box.right - menu.offsetWidth : box.left
  menu.style.position = 'fixed'
  menu.style.top = `${Math.min(box.bottom, window.innerHeight - menu.offsetHeight - 8)}px`
  menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - menu.offsetWidth - 8))}px`
}

function moveFocus(menu: HTMLElement, event: { readonly key: string; preventDefault(): void }): void {
  const entries = [...menu.querySelectorAll<HTMLElement>(ENTRIES)]
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? entries.indexOf(focused) : -1
  const to =
    event.key === 'ArrowDown'
      ? (at + 1) % entries.length
      : event.key === 'ArrowUp'
        ? (at - 1 + entries.length) % entries.length
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? entries.length - 1
            : null
  const entry = to === null ? undefined : entries[to]
  // In a field they move the caret.
  const isCaret = focused instanceof HTMLInputElement && (event.key === 'Home' || event.key === 'End')
  if (entry === undefined || isCaret) return
  event.preventDefault()
  entry.focus()
}

/** A chosen entry closes its menu; a field or a checkbox in it does not. */
function closeAfterChoice(menu: HTMLElement, target: EventTarget): void {
  if (!(target instanceof Element)) return
  if (target.closest('[data-stay]') !== null) return
  if (target.closest('a[href], button') !== null) menu.hidePopover()
}
