import type { Snippet } from './relay-snippets.ts'
import { SnippetBox } from './snippet-box.tsx'

/** Lines that turn a signal on, in a list whose signal never came. */
export function TurnOn({ file, text }: Snippet) {
  return (
    <div className="mt-3 rounded-field border">
      <SnippetBox snippet={{ file, text }} />
    </div>
  )
}
