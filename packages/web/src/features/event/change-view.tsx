/** Page for what the menus of an issue have no room for: another release or a commit, an own number. */
import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadChangeIssue } from './change.server.ts'

export function ChangeIssuePage() {
  const { org, issue, releases, nameCharsMax } = usePageData<typeof loadChangeIssue>()
  const { shortId } = issue
  return (
    <Page>
      <PageHead
        title={`Resolve or archive ${shortId}`}
        crumbs={[
          { text: 'Issues', path: paths.issues(org) },
          { text: shortId, path: paths.issue(org, shortId) },
          { text: 'Resolve or archive' },
        ]}
      >
        <span className="foreign">{issue.title}</span>
      </PageHead>
      <Section title="Resolve in a release or commit">
        <ActionForm action="issue.resolve-in" hidden={{ ref: shortId }} className="grid max-w-120 gap-4">
          <FormRefusal />
          <FormText
            name="release"
            label="Release"
            list="releases"
            maxLength={nameCharsMax}
            autoComplete="off"
            hint="Events of older releases do not reopen it."
          />
          <datalist id="releases">
            {releases.map((release) => (
              <option key={release} value={release} />
            ))}
          </datalist>
          <FormText
            name="commit"
            label="Commit"
            mono
            maxLength={nameCharsMax}
            autoComplete="off"
            hint="Or a commit ID: resolved in the first release that has it."
          />
          <div>
            <Submit>Resolve</Submit>
          </div>
        </ActionForm>
      </Section>
      <Section title="Archive until a number" id="archive">
        <p className="mb-3 text-13 text-ink-2">
          It has {quantityText(issue.eventCount, 'event')} and {numberText(issue.users)}{' '}
          {issue.users === 1 ? 'user' : 'users'} now. It is unarchived after this many more, or after this
          time.
        </p>
        <ActionForm action="issue.archive-until" hidden={{ ref: shortId }} className="grid max-w-120 gap-4">
          <FormRefusal />
          <FormText name="count" label="Number" inputMode="numeric" autoComplete="off" required />
          <FormSelect name="unit" label="Unit">
            <option value="events">more events</option>
            <option value="users">more users</option>
            <option value="hours">hours</option>
            <option value="days">days</option>
          </FormSelect>
          <div>
            <Submit variant="plain">Archive</Submit>
          </div>
        </ActionForm>
      </Section>
    </Page>
  )
}
