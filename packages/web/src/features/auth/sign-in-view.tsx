import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadSignIn } from './auth.server.ts'
import { AuthCard } from './auth-card.tsx'
import { SignInProviders } from './sign-in-providers.tsx'

export function SignInView() {
  const { next, host } = usePageData<typeof loadSignIn>()
  return (
    <AuthCard title="Sign in" heading="Sign in to Errata" intro={host}>
      <SignInProviders />
      <ActionForm action="auth.sign-in" hidden={{ next }} className="grid gap-4">
        <FormRefusal />
        <FormText name="email" label="Email" type="email" autoComplete="username" required />
        <FormText
          name="password"
          label="Password"
          labelEnd={
            <PageLink className="link text-13" to={paths.forgot()}>
              Forgot password?
            </PageLink>
          }
          type="password"
          autoComplete="current-password"
          required
        />
        <Submit>Sign in</Submit>
      </ActionForm>
    </AuthCard>
  )
}
