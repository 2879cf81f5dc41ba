import { AuthCard } from '#parts/auth-card.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadJoin } from './auth.server.ts'
import { authPaths } from './paths.ts'

export function JoinView() {
  const { code, orgName, email, role, viewerEmail, passwordRule } = usePageData<typeof loadJoin>()
  const article = role === 'owner' ? 'an' : 'a'
  const intro = `You’re invited as ${article} ${role}, at ${email}.`
  return (
    <AuthCard title={`Join ${orgName}`} intro={intro}>
      {viewerEmail === null ? (
        <ActionForm action="auth.join" className="grid gap-4">
          <FormRefusal />
          <FormText name="name" label="Your name" autoComplete="name" required />
          <FormText
            name="password"
            label="Password"
            hint={passwordRule}
            type="password"
            autoComplete="new-password"
            required
          />
          <Submit>Create account and join</Submit>
          <p className="text-13 text-ink-2">
            Already have an account?{' '}
            <PageLink className="link" to={paths.signIn(authPaths.join(code))}>
              Sign in first
            </PageLink>
          </p>
        </ActionForm>
      ) : (
        <ActionForm action="auth.join-signed-in" className="grid gap-4">
          <FormRefusal />
          <Submit>{`Join as ${viewerEmail}`}</Submit>
        </ActionForm>
      )}
    </AuthCard>
  )
}
