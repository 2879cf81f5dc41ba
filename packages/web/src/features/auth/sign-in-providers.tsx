import { paths } from '#parts/paths.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSignIn } from './auth.server.ts'
import { authPaths } from './paths.ts'

/** Buttons of an organisation’s identity providers, or the way to them; nothing where there are none. */
export function SignInProviders() {
  const { choices, asksOrganisation, organisation, next, isSignedOut } = usePageData<typeof loadSignIn>()
  if (choices.length === 0 && !asksOrganisation) return null
  const left = isSignedOut ? choices.filter(({ kind }) => kind === 'oidc') : []
  return (
    <div className="mb-2 grid gap-2">
      {left.map(({ organisation: org, kind, name }) => (
        <p key={kind} className="text-13 text-ink-2">
          You’re signed out of Errata.{' '}
          <a className="link" href={authPaths.providerSignOut(org, kind)}>
            Sign out of {name} too
          </a>
        </p>
      ))}
      {choices.map(({ organisation: org, kind, name }) => (
        <a key={kind} className={buttonClass('primary')} href={authPaths.providerSignIn(org, kind, next)}>
          Continue with {name}
        </a>
      ))}
      {asksOrganisation ? <OrganisationForm organisation={organisation} next={next} /> : null}
    </div>
  )
}

/** Several organisations share this Errata, and none is told to a stranger. */
function OrganisationForm(props: { readonly organisation: string | null; readonly next: string }) {
  return (
    <form method="get" action={paths.signIn()} className="grid gap-3">
      <input type="hidden" name="next" value={props.next} />
      <TextField
        label="Organisation"
        hint="The first part of its address, such as acme"
        name="org"
        defaultValue={props.organisation ?? ''}
        autoCapitalize="none"
        required
      />
      <Button type="submit">Continue with single sign-on</Button>
    </form>
  )
}
