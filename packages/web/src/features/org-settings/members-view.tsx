import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { ShownOnce } from '#parts/shown-once.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadMembers } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type MembersData = Awaited<ReturnType<typeof loadMembers>>
type Member = MembersData['members'][number]

const ROLES = [
  { role: 'owner', what: 'everything, and the organisation itself' },
  { role: 'manager', what: 'all projects, members, teams, tokens' },
  { role: 'member', what: 'the issues of their teams’ projects' },
  { role: 'viewer', what: 'read the projects of their teams' },
] as const

export function MembersView() {
  const { members, teams, invitations, userId } = usePageData<typeof loadMembers>()
  const mayWrite = useCan('member.write')
  return (
    <OrgSettingsPage title="Members">
      <Table caption="Members" className="min-w-160">
        <thead>
          <tr>
            <th>Person</th>
            <th>Teams</th>
            <th>Joined</th>
            <th>Role</th>
            {mayWrite ? (
              <th>
                <span className="visually-hidden">Remove</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.userId}>
              <td className="foreign">
                {member.name === '' ? null : <span className="block">{member.name}</span>}
                <span className="text-12 text-ink-2">{member.email}</span>
                {member.userId === userId ? <span className="text-12 text-ink-3"> (you)</span> : null}
              </td>
              <td>{member.teams.join(', ')}</td>
              <td>
                <Time ms={member.joinedMs} />
              </td>
              <td>{mayWrite ? <RoleForm member={member} /> : member.role}</td>
              {mayWrite ? (
                <td className="text-end">
                  <RemoveMember member={member} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      {mayWrite ? (
        <>
          {invitations.length > 0 ? <Invitations invitations={invitations} /> : null}
          <Invite teams={teams} />
        </>
      ) : null}
    </OrgSettingsPage>
  )
}

function RoleForm({ member }: { readonly member: Member }) {
  const toast = useToast()
  return (
    <ActionForm
      action="member.set-role"
      hidden={{ user: member.userId }}
      className="flex items-start gap-2 py-1"
      onResult={() => toast({ text: 'Role changed' })}
    >
      <FormSelect
        name="role"
        label={`Role of ${member.email}`}
        labelHidden
        initial={member.role}
        className="w-28"
      >
        {ROLES.map(({ role }) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </FormSelect>
      <Submit variant="plain">Set</Submit>
      <FormRefusal />
    </ActionForm>
  )
}

function RemoveMember({ member }: { readonly member: Member }) {
  const dialog = useDialogId()
  const toast = useToast()
  return (
    <>
      <DialogButton dialog={dialog} variant="danger-plain" size="small">
        Remove…<span className="visually-hidden"> {member.email}</span>
      </DialogButton>
      <Dialog id={dialog} title={`Remove ${member.email}?`}>
        <p className="mb-4 text-start text-13 text-ink-2">
          {`This takes 1 member out of the organisation and of ${member.teams.length} teams. Issues assigned to them stay assigned until somebody changes that.`}
        </p>
        <ActionForm
          action="member.remove"
          hidden={{ user: member.userId }}
          className="flex flex-wrap justify-end gap-2"
          onResult={() => toast({ text: 'Removed' })}
        >
          <FormRefusal />
          <DialogCancel dialog={dialog}>Keep</DialogCancel>
          <Submit variant="danger">Remove 1 member</Submit>
        </ActionForm>
      </Dialog>
    </>
  )
}

function Invitations({ invitations }: Pick<MembersData, 'invitations'>) {
  return (
    <Section title="Open invitations">
      <Table caption="Open invitations">
        <thead>
          <tr>
            <th>Mail address</th>
            <th>Role</th>
            <th>Ends</th>
            <th>
              <span className="visually-hidden">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ codeHash, email, role, expiresMs }) => (
            <tr key={codeHash}>
              <td className="foreign">{email}</td>
              <td>{role}</td>
              <td>
                <Time ms={expiresMs} form="exact" />
              </td>
              <td className="text-end">
                <ActionForm action="member.revoke-invitation" hidden={{ codeHash }}>
                  <Submit variant="plain" size="small">
                    Revoke
                  </Submit>
                  <FormRefusal />
                </ActionForm>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

interface InviteResult {
  readonly email: string
  readonly url: string
}

function Invite({ teams }: Pick<MembersData, 'teams'>) {
  return (
    <Section title="Invite" note="The link goes to the person by whatever way you choose; it is not mailed">
      <ActionForm<InviteResult> action="member.invite" className="grid max-w-160 gap-4" resets>
        {(form) => {
          const done = form.result
          return (
            <>
              {done === null ? null : (
                <ShownOnce
                  title={`Link for ${done.email}`}
                  secret={done.url}
                  name="Copy the invitation link"
                />
              )}
              <FormRefusal />
              <div className="grid max-w-90 gap-4">
                <FormText name="email" label="Mail address" type="email" required />
                <FormSelect name="role" label="Role" initial="member">
                  {ROLES.map(({ role, what }) => (
                    <option key={role} value={role}>
                      {`${role}: ${what}`}
                    </option>
                  ))}
                </FormSelect>
                {teams.length === 0 ? null : (
                  <fieldset className="grid gap-2">
                    <legend className="mb-1 text-13">Teams</legend>
                    {teams.map(({ id, name }) => (
                      <Checkbox key={id} name="teams[]" value={id} label={name} showLabel />
                    ))}
                    <p className="text-12 text-ink-3">
                      A team opens its projects. Without a tick: {teams[0]?.name}, the organisation’s first.
                    </p>
                  </fieldset>
                )}
              </div>
              <div>
                <Submit>Make an invitation link</Submit>
              </div>
            </>
          )
        }}
      </ActionForm>
    </Section>
  )
}
