import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Section } from '#ui/section.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RecoverySection({ left, hasFactor }: { readonly left: number; readonly hasFactor: boolean }) {
  return (
    <Section title="Recovery codes" {...(hasFactor ? { note: `${left} of 10 left` } : {})}>
      {hasFactor ? (
        <ActionForm<{ readonly codes: readonly string[] }> action="account.recovery-codes">
          {({ result }) => (
            <>
              <p className="mb-3 max-w-160 text-13 text-ink-2">
                For when you have lost your device. New codes replace the old ones.
              </p>
              <FormRefusal />
              {result === null ? null : <RecoveryCodes codes={result.codes} />}
              <Submit variant="plain">Create new codes</Submit>
            </>
          )}
        </ActionForm>
      ) : (
        <p className="max-w-160 text-13 text-ink-2">
          You get ten with your first passkey or authenticator app.
        </p>
      )}
    </Section>
  )
}
