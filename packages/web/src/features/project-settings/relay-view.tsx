/** The relay for a project's app: what to paste, by framework, with this project's DSN and names. */
import { paths } from '#parts/paths.ts'
import { RELAY_FRAMEWORKS, relaySnippets, rewriteSnippet } from '#parts/relay-snippets.ts'
import { SnippetBox } from '#parts/snippet-box.tsx'
import { Section } from '#ui/section.tsx'
import { Tabs, tab } from '#ui/tabs.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import type { loadRelay } from './project-settings.server.ts'
import { ProjectSettingsPage } from './settings-page.tsx'

export function RelayView() {
  const { org, project, dsn } = usePageData<typeof loadRelay>()
  return (
    <ProjectSettingsPage org={org} project={project} title="Relay">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Browsers send events to your own app, which forwards them to Errata. Ad blockers and content security
        policies allow it, Errata still sees the client’s IP address, and events survive a restart of Errata.
      </p>
      {dsn === null ? (
        <p className="mb-4 text-13 text-ink-2">
          This project has no active client key.{' '}
          <PageLink className="link underline" to={paths.projectKeys(org, project.slug)}>
            Client keys
          </PageLink>
        </p>
      ) : (
        <Frameworks dsn={dsn} />
      )}
      <ClientAddress />
      <Rewrite />
    </ProjectSettingsPage>
  )
}

function Frameworks({ dsn }: { readonly dsn: string }) {
  const { org, project, query, url } = usePageData<typeof loadRelay>()
  const asked = new URLSearchParams(useLocation().search).get('framework')
  const chosen = RELAY_FRAMEWORKS.find(({ id }) => id === asked)?.id ?? 'next'
  return (
    <div className="mb-5 max-w-300 overflow-hidden rounded-field border">
      <Tabs label="Framework" className="border-b bg-sunken px-4">
        {RELAY_FRAMEWORKS.map(({ id, name }) => (
          <PageLink
            key={id}
            to={paths.projectRelay(org, project.slug, { framework: id })}
            replace
            preventScrollReset
            className={tab}
            aria-current={id === chosen ? 'page' : undefined}
          >
            {name}
          </PageLink>
        ))}
      </Tabs>
      {relaySnippets(chosen, { dsn, query, url }).map((snippet) => (
        <SnippetBox key={`${chosen}:${snippet.file}`} snippet={snippet} />
      ))}
    </div>
  )
}

function ClientAddress() {
  return (
    <Section title="Client IP address">
      <p className="max-w-160 text-13 text-ink-2">
        Errata accepts the address only from servers it trusts. Start it with your app’s address in{' '}
        <code>--trusted-proxies</code>. If proxies stand in front of your app, set <code>trustedHops</code> to
        their number, or <code>clientAddressHeader</code> to the header your platform writes.
      </p>
    </Section>
  )
}

function Rewrite() {
  const { url } = usePageData<typeof loadRelay>()
  return (
    <Section title="With a rewrite instead" note="Not recommended">
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        A rewrite needs no package, but most rewrites lose the client’s IP address, forward your app’s
        cookies, and lose what browsers send while Errata restarts.
      </p>
      <div className="max-w-200 overflow-hidden rounded-field border">
        <SnippetBox snippet={rewriteSnippet(url)} />
      </div>
    </Section>
  )
}
