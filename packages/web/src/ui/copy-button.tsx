import { useState } from 'react'
import { Icon } from './icons.tsx'
import { useHydrated } from './time.tsx'

const DONE_MS = 1_500

/** Copies `text`; a tick for a second and a half says that it did. Not there until JavaScript is. */
export function CopyButton({ text, name }: { readonly text: string; readonly name: string }) {
  const hydrated = useHydrated()
  const [state, setState] = useState<'rest' | 'copied' | 'failed'>('rest')
  if (!hydrated) return <span className="copy" aria-hidden="true" />
  const copy = async () => {
    setState((await writeClipboard(text)) ? 'copied' : 'failed')
    setTimeout(() => setState('rest'), DONE_MS)
  }
  return (
    <button
      type="button"
      className="copy"
      aria-label={name}
      title={state === 'failed' ? 'The browser didn’t allow it. Select the text and copy it' : name}
      onClick={copy}
    >
      <Icon
        name={state === 'copied' ? 'check' : state === 'failed' ? 'exclamation' : 'copy'}
        size={12}
        className={state === 'copied' ? 'text-good' : 'shrink-0'}
      />
      <span className="visually-hidden" aria-live="polite">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Not copied' : ''}
      </span>
    </button>
  )
}

/** Puts a text on the clipboard; `false` if the browser refuses. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Refused, or no clipboard on an insecure origin: the button says so.
    return false
  }
}
