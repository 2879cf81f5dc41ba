import { type InputHTMLAttributes, useState } from 'react'
import { useHydrated } from './time.tsx'

/** A password, and a button that shows what was typed. Without script there is no button. */
export function PasswordInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  const [isShown, setShown] = useState(false)
  const hasScript = useHydrated()
  return (
    <div className="relative">
      <input {...rest} type={isShown ? 'text' : 'password'} className={`pe-16 ${className ?? ''}`} />
      {hasScript ? (
        <button
          type="button"
          className="field-end"
          aria-pressed={isShown}
          onClick={() => setShown((before) => !before)}
        >
          {isShown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> what you typed</span>
        </button>
      ) : null}
    </div>
  )
}
