import { usePageData } from '#wire/page-data.ts'
import { AccountPage } from './account-page.tsx'
import { AppSection } from './app-section.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { RecoverySection } from './recovery-section.tsx'
import type { loadSecurity } from './security.server.ts'

export function SecurityView() {
  const { isOfProvider, closed, passkeys, app, recoveryCodesLeft } = usePageData<typeof loadSecurity>()
  const hasFactor = passkeys.length > 0 || app.state === 'on'
  if (isOfProvider)
    return (
      <AccountPage title="Security">
        <OwnSignInNote what="manage passkeys and second factors" />
      </AccountPage>
    )
  return (
    <AccountPage title="Security">
      {closed.length === 0 ? null : (
        <div role="status" className="auth-note mb-5 max-w-160">
          <p>
            <span className="foreign">{closed.join(', ')}</span> requires a second factor. Add a passkey or an
            authenticator app to continue.
          </p>
        </div>
      )}
      <PasskeysSection />
      <AppSection />
      <RecoverySection left={recoveryCodesLeft} hasFactor={hasFactor} />
    </AccountPage>
  )
}
