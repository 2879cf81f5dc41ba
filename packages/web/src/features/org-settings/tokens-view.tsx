import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Empty } from '#ui/empty.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { NewToken } from './new-token.tsx'
import type { loadTokens } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type TokensData = Awaited<ReturnType<typeof loadTokens>>
type Token = TokensData['tokens'][number]

export function TokensView() {
  const data = usePageData<typeof loadTokens>()
  return (
    <OrgSettingsPage title="Tokens">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        For the web API at <code className="foreign">{`${data.url}/api/0/`}</code>. Organisation tokens act
        for the organisation, personal ones for you, within your role.
      </p>
      {data.tokens.length === 0 ? (
        <Empty title="No tokens yet">
          Create one for scripts, CI and other tools. <DocsLink to="roles#tokens-and-scopes" />
        </Empty>
      ) : (
        <Table caption="Tokens" stacks="columns" className="[--stack-columns:3] [--stack-end:-2]">
          <thead>
            <tr>
              <th>Token</th>
              <th className="stack-lead">Scopes</th>
              <th>Created</th>
              <th>Last used</th>
              <th>Expires</th>
              <th className="stack-end">
                <span className="visually-hidden">Revoke</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.tokens.map((token) => (
              <TokenRow key={token.id} token={token} data={data} />
            ))}
          </tbody>
        </Table>
      )}
      <NewToken data={data} />
    </OrgSettingsPage>
  )
}

function TokenRow({ token, data }: { readonly token: Token; readonly data: TokensData }) {
  const toast = useToast()
  const mayRevoke = token.isPersonal || data.mayWriteOrg
  const { url } = data
  return (
    <tr>
      <td className="foreign">
        {token.name}
        <span className="block text-12 text-ink-3">
          {token.isPersonal ? 'Personal' : 'Organisation'}, ends in <code>{token.tail}</code>
          {token.createdBy === null ? null : `, created by ${token.createdBy.name}`}
        </span>
        {token.otherAddress === null ? null : (
          <span className="block text-12 text-warn">
            {`Carries ${token.otherAddress}: sentry-cli and build plugins send there, not to ${url}. Create a new token for them.`}
          </span>
        )}
        {token.createdBy?.hasLeft === true ? (
          <span className="block text-12 text-warn">
            {`${token.createdBy.name} has left. Revoke it if nothing uses it any more.`}
          </span>
        ) : null}
      </td>
      <td className="stack-lead max-w-60 text-12 text-ink-2">{scopesText(token, data)}</td>
      <td>
        <Time ms={token.createdMs} />
      </td>
      <td>{token.usedMs === null ? 'Never' : <Time ms={token.usedMs} />}</td>
      <td>
        <Expiry token={token} nowMs={data.nowMs} />
      </td>
      <td className="stack-end text-end">
        {mayRevoke ? (
          <ActionForm
            action="token.revoke"
            hidden={{ token: token.id }}
            onResult={() => toast({ text: 'Token revoked' })}
          >
            <Submit variant="danger-plain" size="small">
              Revoke<span className="visually-hidden"> {token.name}</span>
            </Submit>
            <FormRefusal />
          </ActionForm>
        ) : null}
      </td>
    </tr>
  )
}

function Expiry({ token: { expiresMs }, nowMs }: { readonly token: Token; readonly nowMs: number }) {
  if (expiresMs === null) return 'Never'
  if (expiresMs <= nowMs) return <span className="chip chip-bad">Expired</span>
  return <Time ms={expiresMs} form="until" />
}

/** The name of the preset with just these scopes, or the scopes. */
function scopesText({ scopes }: Token, { presets }: TokensData): string {
  const same = presets.find(
    (preset) =>
      preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  )
  return same?.name ?? scopes.join(', ')
}
