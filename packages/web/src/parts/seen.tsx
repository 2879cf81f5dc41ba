import { useEffect, useState } from 'react'
import { useActionForm } from '#wire/action-form.tsx'

/**
 * The values that the form's fields were filled with, sent along with what was typed: the server refuses to write over
 * values that nobody here has seen. Page data that arrives later leaves the fields as they are, and so it leaves this;
 * after a save it is what was saved.
 */
export function Seen({ values }: { readonly values: string }) {
  const { result, values: typed } = useActionForm()
  const [seen, setSeen] = useState(typeof typed.seen === 'string' ? typed.seen : values)
  const saved = savedText(result)
  // An effect: a result that a later refusal takes away is remembered.
  useEffect(() => {
    if (saved !== null) setSeen(saved)
  }, [saved])
  return <input type="hidden" name="seen" value={seen} />
}

/** Returns what the action of the form around it answered. */
function savedText(result: unknown): string | null {
  if (typeof result !== 'object' || result === null || !('seen' in result)) return null
  return typeof result.seen === 'string' ? result.seen : null
}
