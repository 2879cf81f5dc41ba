import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadJoinAccount } from './auth.server.ts'
import { authPaths } from './paths.ts'

/** Asked once: a provider named an account by its address alone. */
export function JoinAccountView() {
  const { email, organisation, provider, isOwn } = usePageData<typeof loadJoinAccount>()
  const intro = isOwn
    ? `From now on ${provider} signs you in to ${organisation} as ${email}. Administrators of ${provider} can open ${organisation} in your name, but can’t reach anything else in your account.`
    : `${email} already has an account here. Sign in to it to confirm that it’s yours. You’ll be asked only once.`
  return (
    <AuthCard title={isOwn ? `Use ${provider} with your account` : 'Is this your account?'} intro={intro}>
      {isOwn ? (
        <ActionForm action="auth.join-account" className="grid gap-4">
          <FormRefusal />
          <Submit>{`Use ${provider} for ${organisation}`}</Submit>
          <p className="text-13 text-ink-2">
            <PageLink className="link" to={paths.home()}>
              Not now
            </PageLink>
          </p>
        </ActionForm>
      ) : (
        <OwnSignIn />
      )}
    </AuthCard>
  )
}

function OwnSignIn() {
  const { ticket, viewerEmail, email } = usePageData<typeof loadJoinAccount>()
  if (viewerEmail !== null)
    return (
      <p className="text-13">
        You’re signed in as <span className="foreign">{viewerEmail}</span>
        {viewerEmail === email ? ' with single sign-on' : ''}.{' '}
        <PageLink className="link" to={authPaths.signOut()}>
          Sign out
        </PageLink>
        , then use the provider again.
      </p>
    )
  return (
    <div className="grid gap-4">
      <PageLink className={buttonClass('primary')} to={paths.signIn(authPaths.joinAccount(ticket))}>
        Sign in to confirm
      </PageLink>
      <p className="text-13 text-ink-2">
        No password?{' '}
        <PageLink className="link" to={paths.forgot()}>
          Get a link by email
        </PageLink>{' '}
        to set one, then come back.
      </p>
    </div>
  )
}
