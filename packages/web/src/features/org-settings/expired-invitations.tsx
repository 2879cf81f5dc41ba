import { FormRefusal } from '#parts/form-parts.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { Invited, type InviteResult } from './invitations.tsx'
import type { loadMembers } from './org-settings.server.ts'

type Expired = Awaited<ReturnType<typeof loadMembers>>['expired']

const DELETE_ID = 'expired-delete'

/** Id of one form for all of them: the row of a renewed one is gone when its new link is shown. */
export function ExpiredInvitations({ expired }: { readonly expired: Expired }) {
  const toast = useToast()
  return (
    <>
      <ActionForm<InviteResult> action="member.renew-invitation">
        {({ result, pending }) => (
          <>
            {expired.length === 0 ? null : <ExpiredTable expired={expired} pending={pending} />}
            <FormRefusal />
            {result === null ? null : (
              <div className="pb-5">
                <Invited invited={result} />
              </div>
            )}
          </>
        )}
      </ActionForm>
      <ActionForm
        id={DELETE_ID}
        action="member.revoke-invitation"
        onResult={() => toast({ text: 'Invitation deleted' })}
      >
        <FormRefusal />
      </ActionForm>
    </>
  )
}

function ExpiredTable({ expired, pending }: { readonly expired: Expired; readonly pending: boolean }) {
  return (
    <Section title="Expired invitations" note="Listed for 30 days after they ended">
      <Table caption="Invitations that have expired" stacks>
        <thead>
          <tr>
            <th>Email</th>
            <th>Role</th>
            <th>Expired</th>
            <th>
              <span className="visually-hidden">Renew or delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {expired.map(({ codeHash, email, role, expiresMs }) => (
            <tr key={codeHash}>
              <td className="foreign stack-line">{email}</td>
              <td>{role}</td>
              <td data-label="Expired">
                <Time ms={expiresMs} />
              </td>
              <td className="stack-end">
                <span className="flex justify-end gap-2">
                  <Button type="submit" name="codeHash" value={codeHash} size="small" busy={pending}>
                    Renew<span className="visually-hidden"> the invitation of {email}</span>
                  </Button>
                  <Button
                    type="submit"
                    form={DELETE_ID}
                    name="codeHash"
                    value={codeHash}
                    size="small"
                    variant="quiet"
                  >
                    Delete<span className="visually-hidden"> the invitation of {email}</span>
                  </Button>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
