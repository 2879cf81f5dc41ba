/** Short answers to what somebody did, above the page for a while. What can be undone carries Undo. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { buttonClass } from './button.tsx'
import { Icon } from './icons.tsx'

export interface ToastMessage {
  readonly text: ReactNode
  readonly tone?: 'good' | 'bad'
  /** Action such as Undo. Pressing it takes the toast away. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast>(() => {})
const SHOWN_MS = 10_000
const TOASTS_MAX = 3

/** Holds the toasts of the page; once, at the root of the app. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly (ToastMessage & { readonly id: number })[]>([])
  const dismiss = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])
  const show = useMemo<ShowToast>(() => {
    let last = 0
    return (message) => {
      last += 1
      const id = last
      setToasts((shown) => [...shown, { ...message, id }].slice(-TOASTS_MAX))
      setTimeout(() => dismiss(id), SHOWN_MS)
    }
  }, [dismiss])
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" aria-live="polite">
        {toasts.map((toast) => (
          <div key={toast.id} className="toast">
            <Icon
              name={toast.tone === 'bad' ? 'exclamation' : 'check'}
              className={toast.tone === 'bad' ? 'text-bad' : 'text-good'}
            />
            <span className="min-w-0 flex-1">{toast.text}</span>
            {toast.action === undefined ? null : (
              <button
                type="button"
                className={buttonClass('quiet', 'small', 'text-accent')}
                onClick={() => {
                  dismiss(toast.id)
                  toast.action?.run()
                }}
              >
                {toast.action.label}
              </button>
            )}
            <button type="button" className="copy" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
              <Icon name="close" size={12} />
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}

/** Shows a toast. */
export function useToast(): ShowToast {
  return useContext(ToastContext)
}
