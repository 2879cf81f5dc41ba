import { useEffect, useRef } from 'react'
import { type Shortcut, useShortcutList } from '#parts/shortcuts.tsx'
import { Key } from '#ui/key.tsx'

/** All shortcuts that hold on this screen. */
export function ShortcutDialog({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = useShortcutList()()
  const dialog = useRef<HTMLDialogElement>(null)
  // An effect, because a dialog opens by a call.
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className="dialog shortcut-dialog"
      aria-labelledby="shortcuts-title"
      onClose={onClose}
    >
      <h2 id="shortcuts-title" className="mb-3 text-15 font-strong">
        Keyboard shortcuts
      </h2>
      <div className="shortcut-columns">
        <ShortcutList title="This page" of={shortcuts.filter(({ isEverywhere }) => isEverywhere !== true)} />
        <ShortcutList title="Everywhere" of={shortcuts.filter(({ isEverywhere }) => isEverywhere === true)} />
      </div>
      <form method="dialog" className="mt-4 text-end">
        <button type="submit" className="btn">
          Close
        </button>
      </form>
    </dialog>
  )
}

function ShortcutList({ title, of }: { readonly title: string; readonly of: readonly Shortcut[] }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-12 text-ink-3">{title}</h3>
      {/* A list of none is none. */}
      <dl className="shortcuts" hidden={of.length === 0}>
        {of.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              {keys.split(' ').map((key) => (
                <Key key={key}>{shortcutText(key)}</Key>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function shortcutText(key: string): string {
  return key.startsWith('mod+') ? `Ctrl ${key.slice(4).toUpperCase()}` : key
}
