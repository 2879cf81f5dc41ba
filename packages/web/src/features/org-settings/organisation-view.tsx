import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { bytesText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadOrganisation } from './org-settings.server.ts'
import { GIVEN_ROLES, ROLES } from './roles.ts'
import { OrgSettingsPage } from './settings-page.tsx'

export function OrganisationView() {
  const { name, slug, seen, slugRule, createdMs, roleDefault, requiresSecondFactor, isOperator } =
    usePageData<typeof loadOrganisation>()
  const toast = useToast()
  const mayWrite = useCan('org.write')
  return (
    <OrgSettingsPage title="Organisation">
      {mayWrite ? (
        <SettingsForm action="org.rename" seen={seen} of={slug} className="mb-6 grid form-width gap-4">
          <FormText name="name" label="Name" initial={name} required />
          <FormText
            name="slug"
            label="Slug"
            mono
            initial={slug}
            hint={`The first part of every URL here. Old links stop working when it changes. ${slugRule}`}
            required
          />
        </SettingsForm>
      ) : null}
      <Section title="About">
        <Facts>
          {/* Who may change them has them above, as fields. */}
          {mayWrite ? null : (
            <>
              <Fact term="Name">{name}</Fact>
              <Fact term="Slug">
                <code>{slug}</code>
              </Fact>
            </>
          )}
          <Fact term="Created">
            <Time ms={createdMs} form="exact" />
          </Fact>
        </Facts>
        {mayWrite ? null : <p className="mt-3 text-13 text-ink-2">Owners can rename it.</p>}
      </Section>
      {mayWrite ? <NewPeople roleDefault={roleDefault} /> : null}
      {mayWrite ? (
        <FoldSection
          title="Two-factor authentication"
          state={requiresSecondFactor ? 'required' : 'not required'}
          verb="Change"
          action="org.second-factor"
        >
          <ActionForm
            action="org.second-factor"
            className="grid form-width gap-3"
            onResult={() => toast({ text: 'Saved' })}
          >
            <FormRefusal />
            <Checkbox
              name="required"
              label="Require a second factor for every member"
              showLabel
              defaultChecked={requiresSecondFactor}
            />
            <p className="text-12 text-ink-3">
              Members without a passkey or an authenticator app must set one up before they can open this
              organisation. Their personal tokens stop working until then.
            </p>
            <div>
              <Submit variant="plain">Save</Submit>
            </div>
          </ActionForm>
        </FoldSection>
      ) : null}
      <KeptUploads />
      {isOperator ? (
        <FoldSection title="New organisation" state="for operators" verb="Create" action="org.create">
          <p className="mb-3 text-13 text-ink-2">Its projects and members are separate from these.</p>
          <ActionForm action="org.create" className="grid form-width gap-4">
            <FormRefusal />
            <FormText name="name" label="Name" required />
            <div>
              <Submit variant="plain">Create organisation</Submit>
            </div>
          </ActionForm>
        </FoldSection>
      ) : null}
    </OrgSettingsPage>
  )
}

const MIB = 1_024 * 1_024

/** How much of what build tools upload is kept; of whoever may not change it, the page of a project's source maps says so. */
function KeptUploads() {
  const { quota, isDefault, used } = usePageData<typeof loadOrganisation>().artifacts
  const toast = useToast()
  if (!useCan('quota.write')) return null
  return (
    <FoldSection
      title="Uploads of build tools"
      state={`${quantityText(quota.bundlesMax, 'bundle')}, ${bytesText(quota.bytesMax)}`}
      verb="Change"
      action="org.artifact-quota"
    >
      <ActionForm
        action="org.artifact-quota"
        className="grid form-width gap-4"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        <p className="text-13 text-ink-2">
          {`All projects together have ${quantityText(used.bundles, 'bundle')} of ${bytesText(used.bytes)}. Above that, the oldest uploads of the project that uses the most are deleted.`}
        </p>
        <FormText name="bundlesMax" label="Bundles" type="number" initial={String(quota.bundlesMax)} />
        <FormText
          name="bytesMax"
          label="Size"
          hint="In MiB."
          type="number"
          initial={String(quota.bytesMax / MIB)}
        />
        <FormText
          name="unusedDaysMax"
          label="Unused days"
          hint="Bundles unused for this many days are deleted."
          type="number"
          initial={String(quota.unusedDaysMax)}
        />
        {isDefault ? null : <Checkbox name="isDefault" label="Restore the defaults" showLabel />}
        <div>
          <Submit variant="plain">Save</Submit>
        </div>
      </ActionForm>
    </FoldSection>
  )
}

function NewPeople({ roleDefault }: { readonly roleDefault: string }) {
  const toast = useToast()
  return (
    <FoldSection title="New members" state={roleDefault} verb="Change" action="org.role-default">
      <ActionForm
        action="org.role-default"
        className="grid form-width gap-4"
        onResult={() => toast({ text: 'Saved' })}
      >
        <FormRefusal />
        <FormSelect
          name="role"
          label="Default role"
          hint="For invitations, single sign-on and provisioning, unless they set another role."
          initial={roleDefault}
        >
          {ROLES.filter(({ role }) => GIVEN_ROLES.some((given) => given === role)).map(({ role, what }) => (
            <option key={role} value={role}>
              {`${role}: ${what}`}
            </option>
          ))}
        </FormSelect>
        <div>
          <Submit variant="plain">Save</Submit>
        </div>
      </ActionForm>
    </FoldSection>
  )
}
