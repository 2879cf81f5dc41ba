/** All rows of a list as a file. */
export function FileLinks({ to }: { readonly to: (format: 'csv' | 'jsonl') => string }) {
  return (
    <span className="inline-flex gap-2">
      Export
      <a className="link link-alone max-phone:min-w-11" href={to('csv')} download>
        CSV
      </a>
      <a className="link link-alone max-phone:min-w-11" href={to('jsonl')} download>
        JSON lines
      </a>
    </span>
  )
}
