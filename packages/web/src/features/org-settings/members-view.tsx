import { FormRefusal, FormSelect, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { useCan } from '#parts/frame-data.ts'
import { AndMore, PagedFoot, PagedSearch } from '#parts/paged.tsx'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { Isolated } from '#ui/isolated.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { ExpiredInvitations } from './expired-invitations.tsx'
import { GuestProjects } from './guest-projects.tsx'
import { Invitations, Invite } from './invitations.tsx'
import type { loadMembers } from './org-settings.server.ts'
import { ROLES } from './roles.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type MembersData = Awaited<ReturnType<typeof loadMembers>>
type Member = MembersData['members'][number]

export function MembersView() {
  const data = usePageData<typeof loadMembers>()
  const { members, invitations, userId } = data
  const mayWrite = useCan('member.write')
  return (
    <OrgSettingsPage title="Members">
      <PagedSearch path={paths.members(data.org)} label="Find a member" {...data} />
      <Table caption="Members" stacks>
        <thead>
          <tr>
            <th>Member</th>
            <th>Teams and projects</th>
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
              <td className="foreign stack-line min-w-40 wide:min-w-48">
                {member.name === '' ? null : <span className="block">{member.name}</span>}
                <span className="text-12 text-ink-2">{member.email}</span>
                {member.userId === userId ? <span className="text-12 text-ink-3"> (you)</span> : null}
              </td>
              <Access member={member} />
              <td data-label="Joined" className="whitespace-nowrap">
                <Time ms={member.joinedMs} />
              </td>
              <td className="stack-line">
                {mayWrite ? <RoleForm member={member} data={data} /> : member.role}
              </td>
              {mayWrite ? (
                <td className="stack-end text-end">
                  <RemoveMember member={member} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </Table>
      <PagedFoot path={paths.members(data.org)} what="member" {...data} />
      {mayWrite ? (
        <>
          {invitations.length > 0 ? (
            <Invitations invitations={invitations} more={data.moreInvitations} />
          ) : null}
          <ExpiredInvitations expired={data.expired} />
          <Invite data={data} />
        </>
      ) : null}
    </OrgSettingsPage>
  )
}

interface MemberProps {
  readonly member: Member
}

/** Shows what opens projects to a member: their teams, or for a guest the projects themselves. */
function Access({ member }: MemberProps) {
  const isGuest = member.role === 'guest'
  const names = isGuest ? member.projects.shown.map(({ name }) => name) : member.teams
  const more = isGuest ? member.projects.total - names.length : 0
  const label = isGuest ? 'Projects' : 'Teams'
  return (
    <td className="foreign" data-label={names.length === 0 ? undefined : label}>
      {isGuest ? <span className="text-ink-3 max-phone:hidden">Only </span> : null}
      <Isolated texts={names.slice(0, NAMES_SHOWN)} />
      <AndMore count={more + Math.max(0, names.length - NAMES_SHOWN)} />
    </td>
  )
}

const NAMES_SHOWN = 8

function RoleForm({ member, data }: MemberProps & { readonly data: MembersData }) {
  const toast = useToast()
  return (
    <ActionForm
      action="member.set-role"
      hidden={{ user: member.userId }}
      className="flex flex-wrap items-start min-[46rem]:min-w-46 gap-2 py-1"
      onResult={() => toast({ text: 'Role changed' })}
    >
      <FormSelect
        name="role"
        label={`Role of ${member.email}`}
        labelHidden
        initial={member.role}
        className="w-32"
      >
        {ROLES.map(({ role }) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </FormSelect>
      <Submit variant="plain">Set</Submit>
      {data.choices === null ? null : (
        <GuestProjects
          org={data.org}
          choices={data.choices}
          picked={member.projects}
          member={member.userId}
        />
      )}
      <Seen values={member.seen} />
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
        <p className="mb-4 text-13 text-ink-2">
          {`They lose access to the organisation and leave ${quantityText(member.teams.length, 'team')}. Their issues become unassigned, and their personal tokens and open invitations end.`}
        </p>
        <ActionForm
          action="member.remove"
          hidden={{ user: member.userId }}
          className="flex flex-wrap justify-end gap-2"
          onResult={() => toast({ text: 'Member removed' })}
        >
          <MadeTokens names={member.tokens} />
          <FormRefusal />
          <DialogCancel dialog={dialog}>Cancel</DialogCancel>
          <Submit variant="danger">Remove member</Submit>
        </ActionForm>
      </Dialog>
    </>
  )
}

/** Tokens of the organisation go on after whoever made them has left, unless one says otherwise. */
function MadeTokens({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null
  const shown = names.slice(0, TOKENS_NAMED)
  const more = names.length - shown.length
  return (
    <div className="mb-2 basis-full">
      <FormTick
        name="revokesTokens"
        initial={false}
        label={`Also revoke ${quantityText(names.length, 'organisation token')} they created`}
        hint={`${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Otherwise ${names.length === 1 ? 'it keeps' : 'they keep'} working; see Tokens.`}
      />
    </div>
  )
}

const TOKENS_NAMED = 5
