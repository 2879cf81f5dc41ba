import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { RuleEditor } from '#parts/rule-editor.tsx'
import { SettingsForm } from '#parts/settings-form.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { TextField } from '#ui/field.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadOwnership } from './ownership.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadOwnership>>

const EXAMPLE = `path:src/checkout/* #payments
module:com.shop.* ada@example.com
url:https://shop.example/pay* #payments
tags.area:search rosa@example.com`

/** Page of ownership: rules, a CODEOWNERS file, and a field to try them. */
export function OwnershipSettingsView() {
  const view = usePageData<typeof loadOwnership>()
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Ownership">
      {mayWrite ? null : <ReadOnlyNote />}
      {view.cut === null ? null : <CutNote cut={view.cut} />}
      <SettingsForm
        action="project.ownership"
        seen={view.seen}
        of={view.project.slug}
        mayWrite={mayWrite}
        className="grid gap-4"
      >
        <RuleEditor
          name="rules"
          label="Ownership rules"
          rows={8}
          maxLength={view.charsMax}
          placeholder={EXAMPLE}
          initial={view.rules}
          problems={view.problems.rules}
          hint="One per line: path:, module:, url: or tags.KEY:, a pattern, then #teams and emails. * matches any text. If several rules match, the last one comes first."
        />
        <RuleEditor
          name="codeOwners"
          label="CODEOWNERS"
          rows={8}
          maxLength={view.codeOwnersCharsMax}
          initial={view.codeOwners}
          problems={view.problems.codeOwners}
          hint="Paste the file unchanged. @org/team is the team with that slug, @name a person by email or name. The rules above take precedence."
        />
        <Checkbox
          name="isAutoAssigned"
          label="Assign new issues to their first code owner"
          showLabel
          defaultChecked={view.isAutoAssigned}
        />
        <Checkbox
          name="assignsSuspects"
          label="Assign new issues to the author of the suspect commit first"
          showLabel
          defaultChecked={view.assignsSuspects}
        />
      </SettingsForm>
      <div className="mt-6">
        <TryOut view={view} />
      </div>
    </ProjectSettingsPage>
  )
}

function CutNote({ cut: { issues, atMs } }: { readonly cut: NonNullable<View['cut']> }) {
  return (
    <p className="mb-4 max-w-180 rounded-field border bg-sunken px-4 py-2.5 text-13" role="status">
      For {quantityText(issues, 'new issue')} some rules were skipped because they took too long (last{' '}
      <Time ms={atMs} />
      ). Use fewer patterns with several * or with ?.
    </p>
  )
}

function TryOut({ view }: { readonly view: View }) {
  const { triedOwners: owners, tried } = view
  return (
    <Section title="Try it">
      <form
        action={paths.projectOwnership(view.org, view.project.slug)}
        className="flex max-w-180 items-end gap-2 max-phone:flex-wrap"
      >
        <div className="min-w-0 flex-1">
          <TextField
            key={tried}
            name="try"
            label="Path, URL or event ID"
            mono
            defaultValue={tried}
            maxLength={1_000}
          />
        </div>
        <Button type="submit" className="touch">
          Check
        </Button>
      </form>
      {tried === '' ? null : (
        <div className="mt-3 text-13" role="status">
          <Owners tried={owners} />
        </div>
      )}
    </Section>
  )
}

function Owners({ tried }: { readonly tried: View['triedOwners'] }) {
  if (tried === null) return <p className="text-bad">There is no such event in this project.</p>
  const { owners, isCut } = tried
  if (isCut && owners.length === 0)
    return <p className="text-bad">The rules took too long: no code owner was found in time.</p>
  if (owners.length === 0) return <p className="text-ink-2">No rule matches.</p>
  return (
    <>
      <ol className="grid gap-2">
        {owners.map(({ name, rule }) => (
          <li key={name} className="flex items-center gap-2">
            <Avatar name={name} />
            <span className="foreign">{name}</span>
            <code className="foreign text-ink-3">{rule}</code>
          </li>
        ))}
      </ol>
      {isCut ? (
        <p className="mt-2 text-bad">The rules took too long: other rules may match as well.</p>
      ) : null}
    </>
  )
}
