import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSignOut } from './auth.server.ts'

export function SignOutView() {
  const { email } = usePageData<typeof loadSignOut>()
  return (
    <AuthCard title="Sign out" intro={`You’re signed in as ${email}.`}>
      <ActionForm action="auth.sign-out" className="grid gap-4">
        <FormRefusal />
        <Submit>Sign out</Submit>
      </ActionForm>
    </AuthCard>
  )
}
