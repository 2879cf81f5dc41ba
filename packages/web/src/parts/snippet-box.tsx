import { Fragment } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import { Highlighted } from '#ui/highlighted.tsx'
import type { Snippet } from './relay-snippets.ts'

/** Files of JavaScript and TypeScript. */
const SCRIPT = /\.(?:m?js|tsx?)\b/

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
        <code>{SCRIPT.test(snippet.file) ? <Script text={snippet.text} /> : snippet.text}</code>
      </pre>
    </figure>
  )
}

function Script({ text }: { readonly text: string }) {
  return text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <Fragment key={index}>
      {index === 0 ? '' : '\n'}
      <Highlighted text={line} />
    </Fragment>
  ))
}
