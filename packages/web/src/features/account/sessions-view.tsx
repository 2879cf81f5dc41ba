import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSessions } from './account.server.ts'
import { AccountPage } from './account-page.tsx'
import { OwnSignInNote } from './own-sign-in-note.tsx'

type Session = Awaited<ReturnType<typeof loadSessions>>['sessions'][number]

export function SessionsView() {
  const { sessions, isOfProvider } = usePageData<typeof loadSessions>()
  return (
    <AccountPage title="Sessions">
      {isOfProvider ? <OwnSignInNote what="see your other sessions" /> : null}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        If you don’t recognise a device, end its session and change your password.
      </p>
      <Table caption="Sessions" stacks="columns" className="[--stack-columns:3] [--stack-end:-2]">
        <thead>
          <tr>
            <th>Device</th>
            <th>IP address</th>
            <th>Signed in</th>
            <th>Last used</th>
            <th className="stack-end">
              <span className="visually-hidden">End</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </Table>
    </AccountPage>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const toast = useToast()
  const name = session.device
  return (
    <tr>
      <td title={session.userAgent ?? undefined}>
        <span className="inline-flex flex-wrap items-center gap-2">
          {name}
          {session.isCurrent ? <span className="chip chip-good">This device</span> : null}
        </span>
      </td>
      <td className="foreign">{session.address ?? 'Unknown'}</td>
      <td>
        <Time ms={session.createdMs} />
      </td>
      <td>
        <Time ms={session.seenMs} />
      </td>
      <td className="stack-end text-end">
        {session.isCurrent ? null : (
          <ActionForm
            action="account.end-session"
            hidden={{ session: session.id }}
            onResult={() => toast({ text: 'Session ended' })}
          >
            <Submit variant="plain" size="small">
              End<span className="visually-hidden"> the session of {name}</span>
            </Submit>
            <FormRefusal />
          </ActionForm>
        )}
      </td>
    </tr>
  )
}
