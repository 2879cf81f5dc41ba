import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadReset } from './auth.server.ts'

export function ResetView() {
  const { email, passwordRule } = usePageData<typeof loadReset>()
  return (
    <AuthCard
      title="Choose a new password"
      intro={`For ${email}. This ends every session of the account and revokes its personal tokens.`}
    >
      <ActionForm action="auth.reset" className="grid gap-4">
        <FormRefusal />
        <FormText
          name="password"
          label="New password"
          hint={passwordRule}
          type="password"
          autoComplete="new-password"
          required
        />
        <Submit>Set password</Submit>
      </ActionForm>
    </AuthCard>
  )
}
