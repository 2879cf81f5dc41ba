import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadIssueSimilar, SimilarRow } from './grouping.server.ts'
import { IssueShell } from './issue-shell.tsx'

/** Issues that may be the same failure, why, and a button that merges. */
export function SimilarPage() {
  const data = usePageData<typeof loadIssueSimilar>()
  const { similar, org } = data
  const ref = data.view.issue.shortId
  return (
    <IssueShell data={data} current="similar">
      {similar.length === 0 ? (
        <Empty title="No similar issues">
          Issues with the same type and the same location or message are listed here.
        </Empty>
      ) : (
        <div className="pt-4">
          <Table caption="Similar issues" stacks>
            <thead>
              <tr>
                <th scope="col">Issue</th>
                <th scope="col" className={tableNum}>
                  Events
                </th>
                <th scope="col" className={tableNum}>
                  Last seen
                </th>
                <th scope="col">
                  <span className="visually-hidden">Merge</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {similar.map((issue) => (
                <SimilarLine key={issue.id} issue={issue} org={org} of={ref} />
              ))}
            </tbody>
          </Table>
        </div>
      )}
    </IssueShell>
  )
}

function SimilarLine(props: { readonly issue: SimilarRow; readonly org: string; readonly of: string }) {
  const { issue, org } = props
  const reason = likenessText(issue.likeness)
  return (
    <tr>
      <td className="stack-line">
        <PageLink className="foreign font-strong wrap-anywhere" to={paths.issue(org, issue.shortId)}>
          {issue.title}
        </PageLink>
        <div className="flex flex-wrap gap-x-3 text-13 text-ink-3">
          <span>{issue.shortId}</span>
          <span className="foreign wrap-anywhere">{issue.culprit}</span>
        </div>
        <div className="text-13 text-ink-2">{reason}</div>
      </td>
      <td className={tableNum} data-label="Events">
        {numberText(issue.eventCount)}
      </td>
      <td className={tableNum} data-label="Last seen">
        <Time ms={issue.lastSeenMs} />
      </td>
      <td className="stack-end">
        <MergeButton of={props.of} issue={issue} reason={reason} />
      </td>
    </tr>
  )
}

function MergeButton(props: { readonly of: string; readonly issue: SimilarRow; readonly reason: string }) {
  const canWrite = useCan('issue.write')
  const { shortId } = props.issue
  return (
    <ActionForm action="issue.merge" hidden={{ ref: props.of, other: shortId, reason: props.reason }}>
      {({ pending, error }) => (
        <>
          <Button
            type="submit"
            size="small"
            className="touch"
            busy={pending}
            aria-label={`Merge with ${shortId}`}
            disabledReason={canWrite ? undefined : 'Your role can’t change issues'}
          >
            Merge
          </Button>
          {error === null ? null : (
            <span role="alert" className="ms-2 text-13 text-bad">
              {error.message}
            </span>
          )}
        </>
      )}
    </ActionForm>
  )
}

const TEXTS: Readonly<Record<SimilarRow['likeness'], string>> = {
  place_and_message: 'Same type and top frame; messages differ only in numbers and IDs',
  place: 'Same type and same top frame',
  message: 'Same type; messages differ only in numbers and IDs',
}

function likenessText(likeness: SimilarRow['likeness']): string {
  return TEXTS[likeness]
}
