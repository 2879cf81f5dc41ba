import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { CodeField } from './code-field.tsx'
import { OrLine } from './or-line.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { authPaths } from './paths.ts'
import type { loadSecondStep } from './proofs.server.ts'

/** After the password, for who has a second factor. */
export function SecondStepView() {
  const { email, ticket, next, ways, isRecovery } = usePageData<typeof loadSecondStep>()
  const { hasPasskey, hasApp } = ways
  return (
    <AuthCard title="Two-factor authentication" intro={`Signing in as ${email}.`}>
      {hasPasskey ? <PasskeySignIn next={next} /> : null}
      {hasPasskey ? <OrLine>{hasApp ? 'or a code from your app' : 'or a recovery code'}</OrLine> : null}
      <ActionForm
        key={isRecovery ? 'recovery' : 'app'}
        action="auth.second-step"
        hidden={{ next }}
        className="grid gap-4"
      >
        <FormRefusal />
        <CodeField
          {...{ hasApp, isRecovery }}
          recoveryCodesLeft={ways.recoveryCodesLeft}
          otherPath={authPaths.secondStep(ticket, { next, with: isRecovery ? null : 'recovery' })}
        />
        <Submit>Sign in</Submit>
        <PageLink className={buttonClass('quiet')} to={paths.signIn(next)}>
          Back to sign-in
        </PageLink>
      </ActionForm>
    </AuthCard>
  )
}
