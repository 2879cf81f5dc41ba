import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { SnippetBox } from '#parts/snippet-box.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAgents } from './agents.server.ts'
import { MarkdownPreview } from './markdown-preview.tsx'
import { OrgSettingsPage } from './settings-page.tsx'

type AgentsData = Awaited<ReturnType<typeof loadAgents>>
type Call = NonNullable<AgentsData['calls']>[number]

export function AgentsView() {
  return (
    <OrgSettingsPage title="Agents" aside={<MarkdownPreview />}>
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Coding agents can read issues as compact text with original source, and change them if their token
        allows it. Event text comes from apps and visitors, so every answer marks it as untrusted data.
      </p>
      <Connect />
      <Tools />
      <Tokens />
      <Readable part="calls" what="The latest calls">
        <Calls />
      </Readable>
    </OrgSettingsPage>
  )
}

function Connect() {
  const { org, url } = usePageData<typeof loadAgents>()
  return (
    <Section title="Connect" note="Model Context Protocol">
      <div className="mb-3 max-w-200 overflow-hidden rounded-field border">
        <SnippetBox snippet={{ file: 'address', text: `${url}/mcp` }} />
        <SnippetBox
          snippet={{ file: 'command', text: `npx --yes ${url}/packages/errata.tgz mcp --url ${url}` }}
        />
        <SnippetBox snippet={{ file: 'mcp.json', text: configOf(url) }} />
      </div>
      <p className="max-w-160 text-13 text-ink-2">
        Agents that can open a browser need only the address. They ask you there, and you see them under{' '}
        <PageLink className="link underline" to={paths.accountApps()}>
          Connected apps
        </PageLink>
        . Others send a{' '}
        <PageLink className="link underline" to={paths.tokens(org)}>
          token
        </PageLink>{' '}
        as <code>Authorization: Bearer</code>. The command reads <code>ERRATA_TOKEN</code>.
      </p>
    </Section>
  )
}

/** Builds the configuration as most agents read it; the token stays in the environment. */
function configOf(url: string): string {
  const server = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer \${ERRATA_TOKEN}` } }
  return JSON.stringify({ mcpServers: { errata: server } }, null, 2)
}

function Tools() {
  const { tools } = usePageData<typeof loadAgents>()
  return (
    <Section title="Tools" note="Each needs one of its scopes">
      <Table caption="Tools for agents">
        <thead>
          <tr>
            <th>Tool</th>
            <th>Scopes</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, title, changes, scopes }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
                <span className="block text-12 text-ink-2">
                  {title} {changes ? <span className="chip">Changes</span> : null}
                </span>
              </td>
              <td className="text-12 text-ink-2">{scopes.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

function Tokens() {
  const { org, tokens, nowMs } = usePageData<typeof loadAgents>()
  return (
    <Section
      title="Tokens"
      note={tokens.length === 0 ? undefined : String(tokens.length)}
      end={
        <PageLink className="btn" to={paths.tokens(org)}>
          Manage tokens
        </PageLink>
      }
    >
      {tokens.length === 0 ? (
        <Empty title="No tokens for agents yet">
          Create one with the scope event:read. <DocsLink to="agents#connect-an-agent" />
        </Empty>
      ) : (
        <Table caption="Tokens of agents" stacks="late" className="[--stack-columns:6]">
          <thead>
            <tr>
              <th>Name</th>
              <th>Access</th>
              <th>Expires</th>
              <th>Last used</th>
            </tr>
          </thead>
          <tbody>
            {tokens.map(({ id, name, tail, may, expiresMs, usedMs }) => (
              <tr key={id}>
                <td className="foreign stack-line">
                  {name} <code className="text-12 text-ink-3">…{tail}</code>
                </td>
                <td data-label="Access">{may}</td>
                <td data-label="Expires">
                  <Expiry expiresMs={expiresMs} nowMs={nowMs} />
                </td>
                <td data-label="Last used">{usedMs === null ? 'Never' : <Time ms={usedMs} />}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function Expiry({ expiresMs, nowMs }: { readonly expiresMs: number | null; readonly nowMs: number }) {
  if (expiresMs === null) return 'Never'
  if (expiresMs <= nowMs) return <span className="chip chip-bad">Expired</span>
  return <Time ms={expiresMs} form="until" />
}

function Calls() {
  const { org, calls } = usePageData<typeof loadAgents>()
  if (calls === null) return null
  return (
    <Section
      title="Latest calls"
      end={
        <PageLink className="btn" to={paths.audit(org, { what: 'agents' })}>
          All in the audit log
        </PageLink>
      }
    >
      {calls.length === 0 ? (
        <Empty title="No calls yet">Tool calls are listed here.</Empty>
      ) : (
        <Table caption="Latest calls" stacks>
          <thead>
            <tr>
              <th>When</th>
              <th>Token</th>
              <th>Tool</th>
              <th>About</th>
              <th>Response</th>
              <th className={tableNum}>Duration</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <CallRow key={call.id} call={call} />
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function CallRow({ call: { atMs, actor, target, detail } }: { readonly call: Call }) {
  const { about, chars, tookMs, refused } = detail
  const isRefused = typeof refused === 'string'
  return (
    <tr>
      <td className="whitespace-nowrap" data-label="When">
        <Time ms={atMs} />
      </td>
      <td className="foreign" data-label="Token">
        {actor.replace(/^token /, '')}
      </td>
      <td className="foreign stack-line">
        <code>{target}</code>
      </td>
      <td className="foreign" data-label="About">
        {about}
      </td>
      <td className="foreign" data-label="Response">
        {isRefused ? (
          <span className="text-bad">{refused}</span>
        ) : (
          `${numberText(Number(chars ?? 0))} characters`
        )}
      </td>
      <td className={tableNum} data-label="Duration">
        {String(tookMs ?? 0)} ms
      </td>
    </tr>
  )
}
