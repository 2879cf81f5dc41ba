import { DocsLink } from '#parts/docs-link.tsx'
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Section } from '#ui/section.tsx'
import { ActionForm, useActionForm } from '#wire/action-form.tsx'
import type { loadTokens } from './org-settings.server.ts'

type TokensData = Awaited<ReturnType<typeof loadTokens>>

interface TokenResult {
  readonly name: string
  readonly token: string
}

const EXPIRIES = [
  { days: 30, name: 'In 30 days' },
  { days: 90, name: 'In 90 days' },
  { days: 365, name: 'In a year' },
] as const

export function NewToken({ data }: { readonly data: TokensData }) {
  return (
    <Section title="New token">
      <ActionForm<TokenResult> action="token.create" className="grid form-width gap-4" resets>
        {({ result }) => (
          <>
            {result === null ? null : (
              <ShownOnce
                title={`Token “${result.name}”`}
                secret={result.token}
                name="Copy the token"
                note={shownOnceNote(result.token, data.url)}
              />
            )}
            <FormRefusal />
            <div className="grid form-width gap-4">
              <FormText name="name" label="Name" hint="What it’s for." required />
              <FormSelect
                name="kind"
                label="Acts for"
                initial={data.mayWriteOrg ? 'organisation' : 'personal'}
              >
                {data.mayWriteOrg ? <option value="organisation">The organisation</option> : null}
                <option value="personal">You, within your role</option>
              </FormSelect>
              <FormSelect name="expires" label="Expires" initial="90">
                {EXPIRIES.map(({ days, name }) => (
                  <option key={days} value={days}>
                    {name}
                  </option>
                ))}
                <option value="">Never</option>
              </FormSelect>
            </div>
            <ScopeChoice data={data} />
            <div>
              <Submit>Create token</Submit>
            </div>
          </>
        )}
      </ActionForm>
    </Section>
  )
}

/** A personal token carries no address. */
function shownOnceNote(token: string, url: string): string {
  const once = 'Copy it now. It won’t be shown again.'
  return token.startsWith('sntrys_')
    ? `${once} It carries ${url}: sentry-cli and build plugins send there.`
    : once
}

/**
 * Choice of a token's purpose, or scope by scope. The scopes open by CSS alone, so that it works without
 * script.
 */
function ScopeChoice({ data }: { readonly data: TokensData }) {
  const { values, fields } = useActionForm()
  const chosen = typeof values.preset === 'string' ? values.preset : 'read'
  return (
    <fieldset className="choices grid gap-2" aria-describedby="scope-rule">
      <legend className="mb-1 text-13">
        Access <DocsLink to="roles#tokens-and-scopes" />
      </legend>
      {data.presets.map(({ id, name, what, scopes }) => (
        <label key={id} className="choice">
          <input type="radio" name="preset" value={id} className="check" defaultChecked={chosen === id} />
          <span>
            {name}
            <span className="block text-12 text-ink-3">
              {what} <span className="foreign">{scopes.join(', ')}</span>
            </span>
          </span>
        </label>
      ))}
      <label className="choice">
        <input
          type="radio"
          name="preset"
          value="custom"
          data-opens=""
          className="check"
          defaultChecked={chosen === 'custom'}
        />
        <span>
          Custom
          <span className="block text-12 text-ink-3">Choose each scope.</span>
        </span>
      </label>
      <div className="choices-more grid-cols-2 gap-x-6 gap-y-4 ps-6 pt-2 max-phone:grid-cols-1 max-phone:ps-0">
        {data.groups.map((group) => (
          <ScopeGroup
            key={group.name}
            group={group}
            ticked={typeof values.scopes === 'object' ? values.scopes : []}
          />
        ))}
      </div>
      {fields.scopes === undefined ? null : (
        <p id="scope-rule" role="alert" className="text-12 text-bad">
          {fields.scopes.join(' ')}
        </p>
      )}
    </fieldset>
  )
}

function ScopeGroup(props: {
  readonly group: TokensData['groups'][number]
  readonly ticked: readonly string[]
}) {
  const { group, ticked } = props
  return (
    <fieldset className="grid content-start gap-1.5">
      <legend className="mb-1 text-12 font-strong">{group.name}</legend>
      {group.scopes.map(({ scope, what }) => (
        <Checkbox
          key={scope}
          name="scopes[]"
          value={scope}
          className="items-start! [&>.check]:mt-0.5"
          label={
            <>
              <code className="text-12">{scope}</code>
              <span className="block text-12 text-ink-3">{what}</span>
            </>
          }
          showLabel
          defaultChecked={ticked.includes(scope)}
        />
      ))}
    </fieldset>
  )
}
