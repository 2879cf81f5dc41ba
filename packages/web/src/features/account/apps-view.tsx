import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Empty } from '#ui/empty.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AccountPage } from './account-page.tsx'
import type { loadApps } from './apps.server.ts'

type App = Awaited<ReturnType<typeof loadApps>>['apps'][number]

/** Apps that were signed in by browser. */
export function AppsView() {
  const { apps, url } = usePageData<typeof loadApps>()
  return (
    <AccountPage title="Connected apps">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Coding agents that you connected in the browser. They act in your name, within your role.
      </p>
      {apps.length === 0 ? (
        <Empty title="No connected apps">
          Add <code className="foreign">{`${url}/mcp`}</code> to an agent. It opens a page here where you
          allow it. <DocsLink to="agents#signing-in-by-browser" />
        </Empty>
      ) : (
        <Table caption="Connected apps" stacks>
          <thead>
            <tr>
              <th>App</th>
              <th>Organisation</th>
              <th>Access</th>
              <th>Connected</th>
              <th>Last used</th>
              <th>Expires if unused</th>
              <th>
                <span className="visually-hidden">Disconnect</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {apps.map((app) => (
              <AppRow key={app.id} app={app} />
            ))}
          </tbody>
        </Table>
      )}
      <SlackSection />
    </AccountPage>
  )
}

/** Lists the person's Slack identities, linked by buttons pressed there. */
function SlackSection() {
  const { slack } = usePageData<typeof loadApps>()
  const toast = useToast()
  if (slack.length === 0) return null
  return (
    <Section title="Slack" note="Buttons that you press there act in your name">
      <ul className="grid max-w-160 gap-2">
        {slack.map(({ id, slackName, organisation, linkedMs }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 text-13">
            <span className="foreign font-strong">{slackName}</span>
            <span className="text-ink-2">
              in <span className="foreign">{organisation}</span>, connected <Time ms={linkedMs} />
            </span>
            <ActionForm
              action="account.disconnect-slack"
              hidden={{ link: id }}
              onResult={() => toast({ text: 'Slack disconnected' })}
            >
              <Submit variant="danger-plain" size="small">
                Disconnect<span className="visually-hidden"> {slackName}</span>
              </Submit>
              <FormRefusal />
            </ActionForm>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function AppRow({ app }: { readonly app: App }) {
  const toast = useToast()
  return (
    <tr>
      <td className="foreign stack-line">{app.name}</td>
      <td className="foreign" data-label="Organisation">
        {app.organisation}
      </td>
      <td data-label="Access">{app.mayChange ? 'read and change' : 'read'}</td>
      <td data-label="Connected">
        <Time ms={app.createdMs} />
      </td>
      <td data-label="Used">{app.usedMs === null ? 'Never' : <Time ms={app.usedMs} />}</td>
      <td data-label="Expires">
        <Time ms={app.endsMs} form="until" />
      </td>
      <td className="stack-end text-end">
        <ActionForm
          action="account.disconnect-app"
          hidden={{ app: app.id }}
          onResult={() => toast({ text: 'App disconnected' })}
        >
          <Submit variant="danger-plain" size="small">
            Disconnect<span className="visually-hidden"> {app.name}</span>
          </Submit>
          <FormRefusal />
        </ActionForm>
      </td>
    </tr>
  )
}
