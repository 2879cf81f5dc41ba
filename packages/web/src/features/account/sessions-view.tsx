import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSessions } from './account.server.ts'
import { AccountPage } from './account-page.tsx'

export function SessionsView() {
  const { sessions } = usePageData<typeof loadSessions>()
  const toast = useToast()
  return (
    <AccountPage title="Sessions">
      <Table caption="Where you are signed in" className="min-w-160">
        <thead>
          <tr>
            <th>Browser</th>
            <th>Address</th>
            <th>Signed in</th>
            <th>Last used</th>
            <th>
              <span className="visually-hidden">End</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <td className="foreign max-w-80">{session.userAgent ?? 'unknown'}</td>
              <td>{session.address ?? 'unknown'}</td>
              <td>
                <Time ms={session.createdMs} />
              </td>
              <td>
                <Time ms={session.seenMs} />
              </td>
              <td className="text-end">
                {session.isCurrent ? (
                  <span className="text-12 text-ink-3">this one</span>
                ) : (
                  <ActionForm
                    action="account.end-session"
                    hidden={{ session: session.id }}
                    onResult={() => toast({ text: 'Session ended' })}
                  >
                    <Submit variant="plain" size="small">
                      End
                    </Submit>
                    <FormRefusal />
                  </ActionForm>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </AccountPage>
  )
}
