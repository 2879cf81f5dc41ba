import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Empty } from '#ui/empty.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadTokens } from './org-settings.server.ts'
import { OrgSettingsPage } from './settings-page.tsx'

type TokensData = Awaited<ReturnType<typeof loadTokens>>

export function TokensView() {
  const data = usePageData<typeof loadTokens>()
  return (
    <OrgSettingsPage title="Tokens">
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        For the web API at <code>{`${data.url}/api/0/`}</code>. Organisation tokens act for the organisation,
        personal ones for you, within your role.
      </p>
      {data.tokens.length === 0 ? (
        <Empty title="No token">Scripts and tools need one.</Empty>
      ) : (
        <TokenTable data={data} />
      )}
      <NewToken data={data} />
    </OrgSettingsPage>
  )
}

function TokenTable({ data }: { readonly data: TokensData }) {
  const toast = useToast()
  return (
    <Table caption="Tokens" className="min-w-160">
      <thead>
        <tr>
          <th>Token</th>
          <th>Scopes</th>
          <th>Created</th>
          <th>Last used</th>
          <th>
            <span className="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {data.tokens.map((token) => (
          <tr key={token.id}>
            <td className="foreign">
              {token.name}
              <span className="block text-12 text-ink-3">
                {token.isPersonal ? 'personal' : 'organisation'}, ends in <code>{token.tail}</code>
              </span>
            </td>
            <td className="max-w-80 text-12 text-ink-2">{token.scopes.join(', ')}</td>
            <td>
              <Time ms={token.createdMs} />
            </td>
            <td>{token.usedMs === null ? 'never' : <Time ms={token.usedMs} />}</td>
            <td className="text-end">
              {token.isPersonal || data.mayWriteOrg ? (
                <ActionForm
                  action="token.revoke"
                  hidden={{ token: token.id }}
                  onResult={() => toast({ text: 'Token revoked' })}
                >
                  <Submit variant="danger-plain" size="small">
                    Revoke
                  </Submit>
                  <FormRefusal />
                </ActionForm>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface TokenResult {
  readonly name: string
  readonly token: string
}

function NewToken({ data }: { readonly data: TokensData }) {
  return (
    <Section title="New token">
      <ActionForm<TokenResult> action="token.create" className="grid max-w-160 gap-4" resets>
        {(form) => {
          const done = form.result
          return (
            <>
              {done === null ? null : (
                <ShownOnce title={`Token “${done.name}”`} secret={done.token} name="Copy the token" />
              )}
              <FormRefusal />
              <div className="grid max-w-90 gap-4">
                <FormText name="name" label="Name" hint="What it is for." required />
                <FormSelect
                  name="kind"
                  label="Acts for"
                  initial={data.mayWriteOrg ? 'organisation' : 'personal'}
                >
                  {data.mayWriteOrg ? <option value="organisation">the organisation</option> : null}
                  <option value="personal">me</option>
                </FormSelect>
              </div>
              <fieldset className="grid grid-cols-3 gap-2 max-phone:grid-cols-2">
                <legend className="mb-1 text-13">Scopes</legend>
                {data.scopes.map((scope) => (
                  <Checkbox
                    key={scope}
                    name="scopes[]"
                    value={scope}
                    label={<code>{scope}</code>}
                    showLabel
                    defaultChecked={scope.endsWith(':read')}
                  />
                ))}
              </fieldset>
              {(form.fields.scopes ?? []).map((rule) => (
                <p key={rule} role="alert" className="text-12 text-bad">
                  {rule}
                </p>
              ))}
              <div>
                <Submit>Create token</Submit>
              </div>
            </>
          )
        }}
      </ActionForm>
    </Section>
  )
}
