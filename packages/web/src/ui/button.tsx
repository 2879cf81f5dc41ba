import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Key } from './key.tsx'

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-plain'
export type ButtonSize = 'normal' | 'small' | 'bulk'

/** The look of a button, for links that are pressed like one. */
export function buttonClass(
  variant: ButtonVariant = 'plain',
  size: ButtonSize = 'normal',
  more?: string,
): string {
  const names = ['btn']
  if (variant !== 'plain') names.push(`btn-${variant}`)
  if (size !== 'normal') names.push(`btn-${size}`)
  if (more !== undefined) names.push(more)
  return names.join(' ')
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** Why it cannot be pressed: a sentence, shown on hover and read aloud. Undefined means it can. */
  readonly disabledReason?: string | undefined
  /** While its action runs: label and width stay. */
  readonly busy?: boolean | undefined
  /** The key that does the same, shown at its end. */
  readonly shortcut?: string
  readonly children: ReactNode
}

/** A button. `type` defaults to `button`: what sends a form says so. */
export function Button(props: ButtonProps) {
  const { variant, size, disabledReason, busy, shortcut, children, className, type, ...rest } = props
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={buttonClass(variant, size, className)}
      disabled={disabledReason !== undefined || busy === true}
      aria-busy={busy === true ? true : undefined}
      title={disabledReason ?? rest.title}
      aria-keyshortcuts={shortcut}
    >
      {children}
      {shortcut === undefined ? null : <Key>{shortcut}</Key>}
      {disabledReason === undefined ? null : <span className="visually-hidden">: {disabledReason}</span>}
    </button>
  )
}
