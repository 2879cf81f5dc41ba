import { CopyButton } from '#ui/copy-button.tsx'

/** A secret that exists nowhere else in readable form. */
export function ShownOnce(props: {
  readonly title: string
  readonly secret: string
  readonly name: string
  /** Advice; by default that only its hash is kept. */
  readonly note?: string
}) {
  return (
    <div role="status" className="box max-w-160">
      <p className="text-13 font-strong">{props.title}</p>
      <div className="mt-2 flex items-center gap-2 rounded-field border border-control bg-raised px-3 py-1.5">
        <code className="foreign min-w-0 flex-1 text-12">{props.secret}</code>
        <CopyButton text={props.secret} name={props.name} />
      </div>
      <p className="mt-2 text-12 text-ink-2">{props.note ?? 'Copy it now. It won’t be shown again.'}</p>
    </div>
  )
}
