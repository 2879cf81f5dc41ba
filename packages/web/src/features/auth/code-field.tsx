import { CodeBoxes } from '#parts/code-boxes.tsx'
import { FormText } from '#parts/form-parts.tsx'
import { PageLink } from '#wire/page-link.tsx'

/** The app's six digits, or a recovery code for who has no app at hand. */
export function CodeField(props: {
  readonly isRecovery: boolean
  readonly hasApp: boolean
  readonly recoveryCodesLeft: number
  /** The same page, asking for the other. */
  readonly otherPath: string
}) {
  const { isRecovery, hasApp, recoveryCodesLeft, otherPath } = props
  const other = isRecovery ? 'Use a code from your app' : 'Use a recovery code'
  const hasOther = isRecovery ? hasApp : recoveryCodesLeft > 0
  return (
    <>
      {isRecovery ? (
        <FormText
          key="recovery"
          name="code"
          label="Recovery code"
          hint="Each works once."
          autoComplete="off"
          mono
          required
        />
      ) : (
        <CodeBoxes key="app" />
      )}
      {hasOther ? (
        <p className="text-13 text-ink-3">
          <PageLink className="link" to={otherPath}>
            {other}
          </PageLink>
          {isRecovery ? '' : ` · ${recoveryCodesLeft} left`}
        </p>
      ) : null}
    </>
  )
}
