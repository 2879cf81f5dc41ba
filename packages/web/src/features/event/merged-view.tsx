import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { TextField } from '#ui/field.tsx'
import { numberText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { futureRule } from './future-rule.ts'
import type { loadIssueMerged, MergedRow } from './grouping.server.ts'
import { IssueShell } from './issue-shell.tsx'
import { isSplittable, SplitSection } from './split-section.tsx'

/** The groups of an issue, and a way to take some of them out again. */
export function MergedPage() {
  const data = usePageData<typeof loadIssueMerged>()
  const { merged } = data
  const canConfigure = useCan('project.write')
  const canPart = merged.filter(({ isFolded }) => !isFolded).length > 1
  return (
    <IssueShell data={data} current="merged">
      <p className="py-4 text-13 text-ink-2">
        {merged.length === 1
          ? 'All events of this issue have one fingerprint. Merged issues appear here as groups.'
          : 'Each group is one fingerprint. Select groups to move them to a new or existing issue.'}
      </p>
      <ActionForm action="issue.unmerge" hidden={{ ref: data.view.issue.shortId }}>
        {({ pending, error, fields }) => (
          <>
            <GroupTable groups={merged} isPartable={canPart} />
            {canPart ? (
              <Unmerge {...{ pending, error, fields }} reasonCharsMax={data.reasonCharsMax} />
            ) : null}
          </>
        )}
      </ActionForm>
      {canConfigure ? (
        <p className="py-4 text-13 text-ink-2">
          To send future events elsewhere,{' '}
          <PageLink
            className="link underline"
            to={paths.projectGrouping(data.org, data.view.project.slug, { add: futureRule(data.view.issue) })}
          >
            add a fingerprint rule
          </PageLink>
          .
        </p>
      ) : null}
      {canConfigure && isSplittable(data.view.issue) ? (
        <SplitSection
          key={data.view.issue.shortId}
          {...{ org: data.org, project: data.view.project.slug, shortId: data.view.issue.shortId }}
        />
      ) : null}
    </IssueShell>
  )
}

function GroupTable(props: { readonly groups: readonly MergedRow[]; readonly isPartable: boolean }) {
  const { groups, isPartable } = props
  return (
    <Table caption="Groups" stacks="columns" className="[--stack-columns:4]">
      <thead>
        <tr>
          <th scope="col">Group</th>
          <th scope="col" className={tableNum}>
            Events
          </th>
          <th scope="col" className={tableNum}>
            Users
          </th>
          <th scope="col" className={tableNum}>
            First seen
          </th>
          <th scope="col" className={tableNum}>
            Last seen
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={`${group.projectId} ${group.hash}`}>
            <td>
              <div className="flex min-w-0 items-start gap-3">
                {isPartable && !group.isFolded ? (
                  <Checkbox
                    name="hash[]"
                    value={group.hash}
                    label={`Select ${group.title}`}
                    className="touch"
                  />
                ) : null}
                <GroupName group={group} />
              </div>
            </td>
            <td className={tableNum} data-label="Events">
              {numberText(group.eventCount)}
            </td>
            <td className={tableNum} data-label="Users">
              {group.users.isExact ? '' : '≈ '}
              {numberText(group.users.count)}
            </td>
            <td className={tableNum} data-label="First seen">
              <Time ms={group.firstSeenMs} />
            </td>
            <td className={tableNum} data-label="Last seen">
              <Time ms={group.lastSeenMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function GroupName({ group }: { readonly group: MergedRow }) {
  return (
    <div className="min-w-0">
      <div className="foreign font-strong wrap-anywhere">{group.title}</div>
      <div className="flex flex-wrap gap-x-3 text-13 text-ink-3">
        <span className="foreign wrap-anywhere">{group.culprit}</span>
        <code title={group.hash}>{group.hash.slice(0, 8)}</code>
      </div>
      {group.isFolded ? (
        <p className="mt-0.5 text-13 text-ink-3">
          <Badge icon="merge" label="Browser copy" /> Use “Not the same failure” above to move it.
        </p>
      ) : null}
    </div>
  )
}

function Unmerge(props: {
  readonly pending: boolean
  readonly error: { readonly message: string } | null
  readonly fields: Readonly<Record<string, readonly string[] | undefined>>
  readonly reasonCharsMax: number
}) {
  const { pending, error, fields } = props
  const canWrite = useCan('issue.write')
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3 py-4">
      <div className="w-full">
        <TextField
          label="Reason (optional)"
          name="reason"
          maxLength={props.reasonCharsMax}
          errors={fields.reason}
          hint="Kept in the activity of both issues."
        />
      </div>
      <div className="w-full">
        <TextField
          label="Move to (optional)"
          name="into"
          placeholder="SHOP-12"
          errors={fields.into}
          hint="An issue of this project. Left empty, the groups become a new issue."
        />
      </div>
      <Button
        type="submit"
        className="touch"
        busy={pending}
        disabledReason={canWrite ? undefined : 'Your role can’t change issues'}
      >
        Unmerge
      </Button>
      {error === null || fields.reason !== undefined || fields.into !== undefined ? null : (
        <span role="alert" className="text-13 text-bad">
          {fields.hash?.[0] ?? error.message}
        </span>
      )}
    </div>
  )
}
