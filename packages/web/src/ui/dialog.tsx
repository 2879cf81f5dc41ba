import { type ReactNode, useId } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button.tsx'
import { Icon } from './icons.tsx'

/**
 * A modal question. The button that opens it names it by `command`, which needs no JavaScript; browsers without
 * that open it by script.
 */
export function Dialog(props: {
  readonly id: string
  readonly title: ReactNode
  readonly children: ReactNode
}) {
  const titleId = `${props.id}-title`
  return (
    <dialog id={props.id} className="dialog" aria-labelledby={titleId}>
      <div className="mb-2 flex items-start gap-4">
        <h2 id={titleId} className="foreign min-w-0 flex-1 text-15 font-strong">
          {props.title}
        </h2>
        <form method="dialog">
          <button type="submit" className="copy" aria-label="Close">
            <Icon name="close" size={14} />
          </button>
        </form>
      </div>
      {props.children}
    </dialog>
  )
}

/** Makes an id for a dialog that holds in server and browser alike. */
export function useDialogId(): string {
  return `dialog${useId()}`
}

/** Opens the dialog `dialog`. */
export function DialogButton(props: {
  readonly dialog: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** Classes in place of a button's look, such as a menu's entry. */
  readonly className?: string
  readonly disabledReason?: string | undefined
  readonly buttonId?: string
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      id={props.buttonId}
      className={props.className ?? buttonClass(props.variant, props.size)}
      disabled={props.disabledReason !== undefined}
      title={props.disabledReason}
      {...{ command: 'show-modal', commandfor: props.dialog }}
      onClick={() => hasCommands() || openDialog(props.dialog)}
    >
      {props.children}
      {props.disabledReason === undefined ? null : (
        <span className="visually-hidden">: {props.disabledReason}</span>
      )}
    </button>
  )
}

/** Closes the dialog it stands in. */
export function DialogCancel({
  dialog,
  children,
}: {
  readonly dialog: string
  readonly children: ReactNode
}) {
  return (
    <button
      type="button"
      className={buttonClass()}
      {...{ command: 'close', commandfor: dialog }}
      onClick={() => hasCommands() || closeDialog(dialog)}
    >
      {children}
    </button>
  )
}

/** True where `command` of a button works by itself. */
function hasCommands(): boolean {
  return 'commandForElement' in HTMLButtonElement.prototype
}

/** Opens a dialog by script, unless it is open. */
export function openDialog(id: string): void {
  const dialog = document.getElementById(id)
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal()
}

export function closeDialog(id: string): void {
  const dialog = document.getElementById(id)
  if (dialog instanceof HTMLDialogElement) dialog.close()
}
