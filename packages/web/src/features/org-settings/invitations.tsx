import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { PickList } from '#parts/pick-list.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { useLocation } from '#wire/router.ts'
import { GuestProjects } from './guest-projects.tsx'
import type { loadMembers } from './org-settings.server.ts'
import { ROLES } from './roles.ts'

type MembersData = Awaited<ReturnType<typeof loadMembers>>

type Invitation = MembersData['invitations'][number]

export function Invitations({
  invitations,
  more,
}: Pick<MembersData, 'invitations'> & { readonly more: number }) {
  const toast = useToast()
  return (
    <Section title="Open invitations">
      <Table caption="Invitations not accepted yet" stacks>
        <thead>
          <tr>
            <th>Email</th>
            <th>Role</th>
            <th>Expires</th>
            <th>Sent</th>
            <th>
              <span className="visually-hidden">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ codeHash, email, role, expiresMs, letter }) => (
            <tr key={codeHash}>
              <td className="foreign stack-line">{email}</td>
              <td>{role}</td>
              <td data-label="Expires">
                <Time ms={expiresMs} form="until" />
              </td>
              <td className="foreign max-w-80">
                <LetterState letter={letter} />
              </td>
              <td className="stack-end text-end">
                <ActionForm
                  action="member.revoke-invitation"
                  hidden={{ codeHash }}
                  onResult={() => toast({ text: 'Invitation revoked' })}
                >
                  <Submit variant="plain" size="small">
                    Revoke<span className="visually-hidden"> the invitation of {email}</span>
                  </Submit>
                  <FormRefusal />
                </ActionForm>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {more === 0 ? null : (
        <p className="mt-3 text-12 text-ink-2">{`And ${quantityText(more, 'other')}. Find them by email above.`}</p>
      )}
      <p className="mt-3 text-12 text-ink-3">
        Link lost, or email failed? Invite the same email again. The new link replaces the old one.
      </p>
    </Section>
  )
}

/** Whether it was emailed, and what became of that. */
function LetterState({ letter }: Pick<Invitation, 'letter'>) {
  if (letter === null) return <span className="text-ink-3">By link only</span>
  const { state, says, tries, nextMs, settledMs } = letter
  if (state === 'sent') {
    return <span>Emailed {settledMs === null ? null : <Time ms={settledMs} />}</span>
  }
  if (state === 'failed' || state === 'cancelled')
    return <span className="text-bad">{`Email failed. ${says ?? ''}`}</span>
  if (tries === 0 || nextMs === null) return <span className="text-ink-2">Sending…</span>
  return (
    <span className="text-warn">
      {`Email delayed. ${says ?? ''} · Next try `}
      <Time ms={nextMs} form="until" />
    </span>
  )
}

export interface InviteResult {
  readonly email: string
  readonly url: string
  readonly byMail: boolean
}

export function Invite({ data }: { readonly data: MembersData }) {
  const { org, choices, teamChoices, teamDefault, roleDefault, sendsMail } = data
  /** An author of a commit, from an issue. */
  const invited = new URLSearchParams(useLocation().search).get('invite') ?? ''
  const hasTeams = teamChoices !== null && (teamChoices.teams.length > 0 || teamChoices.isPart)
  return (
    <Section
      title="Invite"
      note={sendsMail ? undefined : 'This server sends no email, so send the link yourself'}
    >
      <ActionForm<InviteResult> action="member.invite" className="grid form-width gap-4" resets>
        {({ result }) => (
          <>
            {result === null ? null : <Invited invited={result} />}
            <FormRefusal />
            <div className="grid form-width gap-4">
              <FormText
                name="email"
                label="Email"
                type="email"
                autoComplete="off"
                required
                initial={invited}
              />
              <FormSelect
                name="role"
                label="Role"
                initial={roleDefault}
                hint={<DocsLink to="roles#what-each-role-may-do" />}
              >
                {ROLES.map(({ role, what }) => (
                  <option key={role} value={role}>
                    {`${role}: ${what}`}
                  </option>
                ))}
              </FormSelect>
              {hasTeams ? (
                <PickList
                  {...{ org, choices: teamChoices }}
                  of="teams"
                  name="teams"
                  title="Teams"
                  className="guest-never grid gap-2"
                  hint={
                    <p className="text-12 text-ink-3">
                      A team gives access to its projects. If you select none, they join {teamDefault}.
                    </p>
                  }
                />
              ) : null}
              {choices === null ? null : <GuestProjects org={org} choices={choices} />}
              {sendsMail ? (
                <FormTick
                  name="byMail"
                  label="Email the invitation"
                  initial
                  hint="You can copy the link as well."
                />
              ) : null}
            </div>
            <div>
              <Submit>{sendsMail ? 'Invite' : 'Create invitation link'}</Submit>
            </div>
          </>
        )}
      </ActionForm>
    </Section>
  )
}

export function Invited({ invited: { email, url, byMail } }: { readonly invited: InviteResult }) {
  const note = byMail
    ? 'The email is on its way. You can also copy this link now. It won’t be shown again.'
    : 'Copy it now and send it yourself. It won’t be shown again.'
  return (
    <ShownOnce title={`Invitation for ${email}`} secret={url} name="Copy the invitation link" note={note} />
  )
}
