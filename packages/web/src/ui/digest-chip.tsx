import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

/** A number that an error page showed: label, number, copy. */
export function DigestChip({
  digest,
  children,
}: {
  readonly digest: string
  /** Content in place of the plain number, such as a link to it. */
  readonly children?: ReactNode
}) {
  return (
    <span className="digest">
      <span>Digest</span>
      <span>{children ?? digest}</span>
      <CopyButton text={digest} name={`Copy digest ${digest}`} />
    </span>
  )
}
