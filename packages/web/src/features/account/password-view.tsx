import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadPassword } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

export function PasswordView() {
  const { passwordRule, isOfProvider } = usePageData<typeof loadPassword>()
  if (isOfProvider)
    return (
      <AccountPage title="Password">
        <OwnSignInNote what="change your password" />
      </AccountPage>
    )
  return (
    <AccountPage title="Password">
      <ActionForm action="account.password" className="grid form-width gap-4" resets>
        {(form) => (
          <>
            <FormRefusal />
            {form.result === 'changed' ? (
              <p role="status" className="text-13 text-good">
                Password changed. Every other session was ended.
              </p>
            ) : null}
            <FormText
              name="current"
              label="Current password"
              type="password"
              autoComplete="current-password"
              required
            />
            <FormText
              name="next"
              label="New password"
              hint={passwordRule}
              type="password"
              autoComplete="new-password"
              required
            />
            <p className="text-12 text-ink-3">This ends every other session of your account.</p>
            <div>
              <Submit>Change password</Submit>
            </div>
          </>
        )}
      </ActionForm>
    </AccountPage>
  )
}
