import { CopyButton } from '#ui/copy-button.tsx'

/** New codes, which nobody sees again. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <div role="status" className="box my-3 max-w-160">
      <div className="flex items-center justify-between gap-2">
        <p className="text-13 font-strong">Your recovery codes</p>
        <CopyButton text={codes.join('\n')} name="Copy the recovery codes" />
      </div>
      <ul className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 max-phone:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>
            <code className="text-12">{code}</code>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-12 text-ink-2">
        Keep them where you can reach them without this device. Each signs you in once. They won’t be shown
        again.
      </p>
    </div>
  )
}
