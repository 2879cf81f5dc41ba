import { FormText } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadProfile } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

export function ProfileView() {
  const { name, email, createdMs, isOperator, memberships, isForeign, seen } =
    usePageData<typeof loadProfile>()
  return (
    <AccountPage title="Profile">
      {isForeign ? (
        <OwnSignInNote what="change your name" />
      ) : (
        <SettingsForm action="account.profile" seen={seen} className="mb-6 grid form-width gap-4">
          <FormText
            name="name"
            label="Name"
            initial={name}
            autoComplete="name"
            hint="Shown to other members."
            required
          />
        </SettingsForm>
      )}
      <Section title="Account">
        <Facts>
          <Fact term="Email">{email}</Fact>
          <Fact term="Since">
            <Time ms={createdMs} form="exact" />
          </Fact>
          <Fact term="Operator">{isOperator ? 'Yes: you run this installation' : 'No'}</Fact>
          {memberships.map((one) => (
            <Fact key={one.slug} term="Member of">
              <PageLink className="link link-alone underline" to={paths.issues(one.slug)}>
                {one.name}
              </PageLink>{' '}
              as {one.role}
            </Fact>
          ))}
        </Facts>
      </Section>
    </AccountPage>
  )
}
