import { useEffect, useRef } from 'react'
import { useShortcutList } from '#parts/shortcuts.tsx'
import { Key } from '#ui/key.tsx'

/** All shortcuts that hold on this screen. */
export function ShortcutDialog({ onClose }: { readonly onClose: () => void }) {
  const shortcuts = useShortcutList()()
  const dialog = useRef<HTMLDialogElement>(null)
  // An effect, because a dialog opens by a call.
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="shortcuts-title" onClose={onClose}>
      <h2 id="shortcuts-title" className="mb-3 text-15 font-strong">
        Keyboard shortcuts
      </h2>
      <dl className="shortcuts">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              {keys.split(' ').map((key) => (
                <Key key={key}>{keyText(key)}</Key>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" className="mt-4 text-end">
        <button type="submit" className="btn">
          Close
        </button>
      </form>
    </dialog>
  )
}

function keyText(key: string): string {
  return key.startsWith('mod+') ? `Ctrl ${key.slice(4).toUpperCase()}` : key
}
