/** All rows of a list as a file. */
export function FileLinks({ to }: { readonly to: (format: 'csv' | 'jsonl') => string }) {
  return (
    <span className="inline-flex gap-2">
      Export
      <a className="link" href={to('csv')} download>
        CSV
      </a>
      <a className="link" href={to('jsonl')} download>
        JSON lines
      </a>
    </span>
  )
}
