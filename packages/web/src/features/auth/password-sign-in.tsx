import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'

/** `isSecond`: a provider's button above is what people are led to. */
export function PasswordSignIn({ next, isSecond }: { readonly next: string; readonly isSecond: boolean }) {
  return (
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
      <Submit variant={isSecond ? 'plain' : 'primary'}>Sign in</Submit>
    </ActionForm>
  )
}
