import { CopyButton } from '#ui/copy-button.tsx'
import type { Snippet } from './relay-snippets.ts'

/** A piece of code to copy, under the name of the file it belongs into. */
export function SnippetBox({ snippet }: { readonly snippet: Snippet }) {
  return (
    <figure className="border-b last:border-b-0">
      <figcaption className="copy-row flex min-h-8 items-center justify-between border-b px-4 font-mono text-12 text-ink-2">
        {snippet.file}
        <CopyButton text={snippet.text} name={`Copy ${snippet.file}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre className="overflow-x-auto p-4 text-12 leading-5" tabIndex={0}>
        <code>{snippet.text}</code>
      </pre>
    </figure>
  )
}
