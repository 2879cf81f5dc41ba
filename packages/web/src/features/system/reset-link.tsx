import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { ActionForm } from '#wire/action-form.tsx'

interface LinkResult {
  readonly email: string
  readonly url: string
}

/** Creates a link for somebody who cannot sign in. */
export function ResetLink() {
  return (
    <FoldSection
      title="Reset a password"
      state="a link that works once"
      verb="Create"
      action="system.reset-link"
    >
      <ActionForm<LinkResult> action="system.reset-link" className="grid form-width gap-4" resets>
        {(form) => {
          const done = form.result
          return (
            <>
              {done === null ? null : (
                <ShownOnce title={`Link for ${done.email}`} secret={done.url} name="Copy the reset link" />
              )}
              <FormRefusal />
              <div>
                <FormText name="email" label="Email of the account" type="email" required />
              </div>
              <div>
                <Submit variant="plain">Create reset link</Submit>
              </div>
            </>
          )
        }}
      </ActionForm>
    </FoldSection>
  )
}
