import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { Section } from '#ui/section.tsx'
import { ActionForm } from '#wire/action-form.tsx'

interface LinkResult {
  readonly email: string
  readonly url: string
}

/** For somebody who cannot sign in. */
export function ResetLink() {
  return (
    <Section title="Reset a password" note="creates a link that works once; send it yourself">
      <ActionForm<LinkResult> action="system.reset-link" className="grid max-w-160 gap-4" resets>
        {(form) => {
          const done = form.result
          return (
            <>
              {done === null ? null : (
                <ShownOnce title={`Link for ${done.email}`} secret={done.url} name="Copy the reset link" />
              )}
              <FormRefusal />
              <div className="max-w-90">
                <FormText name="email" label="Email of the account" type="email" required />
              </div>
              <div>
                <Submit variant="plain">Create reset link</Submit>
              </div>
            </>
          )
        }}
      </ActionForm>
    </Section>
  )
}
