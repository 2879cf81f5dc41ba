import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSignIn } from './auth.server.ts'
import { AuthCard } from './auth-card.tsx'

export function SignInView() {
  const { next } = usePageData<typeof loadSignIn>()
  return (
    <AuthCard title="Sign in">
      <ActionForm action="auth.sign-in" hidden={{ next }} className="grid gap-4">
        <FormRefusal />
        <FormText name="email" label="Mail address" type="email" autoComplete="username" required />
        <FormText name="password" label="Password" type="password" autoComplete="current-password" required />
        <div className="flex items-center gap-4">
          <Submit>Sign in</Submit>
        </div>
        <p className="text-12 text-ink-3">
          Password forgotten? An operator of this installation can make a link that resets it.
        </p>
      </ActionForm>
    </AuthCard>
  )
}
