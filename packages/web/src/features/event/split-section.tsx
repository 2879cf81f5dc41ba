/** Takes an issue apart by what its events say, where one function of the app makes every error. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import type { Issue } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { SplitResult } from './split.server.ts'

export const SPLIT_ID = 'split'

/** Messages are issues by their text anyway, and without a function no rule says who makes the error. */
export function isSplittable({ type, function: name }: Issue): boolean {
  return type !== 'Message' && name !== null && name !== ''
}

/** Section for people who may change the project's rules. */
export function SplitSection(props: {
  readonly org: string
  readonly project: string
  readonly shortId: string
}) {
  const { org, project, shortId } = props
  const toast = useToast()
  return (
    <div id={SPLIT_ID} className="max-w-160">
      <Section title="Split by message">
        <p className="text-13 text-ink-2">
          For errors that one function of your app throws for every failure. A fingerprint rule creates an
          issue for each message, from the next event on. Stored events stay here.
        </p>
        <ActionForm<SplitResult>
          action="issue.split"
          hidden={{ ref: shortId }}
          onResult={({ isSaved }) => {
            if (isSaved) toast({ text: 'Rule added' })
          }}
        >
          {({ pending, result }) => (
            <>
              <FormRefusal />
              <SplitPreview result={result ?? null} />
              <div className="flex flex-wrap items-center gap-3 py-4">
                {result?.isSet === true ? null : (
                  <>
                    <Button type="submit" name="step" value="preview" className="touch" busy={pending}>
                      Preview
                    </Button>
                    {result === null || result === undefined || result.count < 2 ? null : (
                      <Submit>Split by message</Submit>
                    )}
                  </>
                )}
                <PageLink className="link text-13 underline" to={paths.projectGrouping(org, project)}>
                  Fingerprint rules
                </PageLink>
              </div>
            </>
          )}
        </ActionForm>
      </Section>
    </div>
  )
}

function SplitPreview({ result }: { readonly result: SplitResult | null }) {
  if (result === null) return null
  const { rule, isSet, looked, kept, issues, count } = result
  return (
    <div role="status" className="mt-4 rounded-field border bg-sunken px-4 py-2.5 text-13">
      <p className="num">
        <b className="font-strong">{splitHeading(result)}</b>{' '}
        <span className="text-ink-2">Of the last {quantityText(looked, 'event')}.</span>
      </p>
      {kept === 0 || isSet ? null : (
        <p className="num mt-1 text-ink-2">
          {quantityText(kept, 'event')} would not change: another rule applies to them, or another function
          threw them.
        </p>
      )}
      <ul className="num mt-1 text-ink-2">
        {issues.map(({ title, events }) => (
          <li key={`${title} ${events}`} className="wrap-anywhere">
            <bdi className="text-ink">{title}</bdi>: {quantityText(events, 'event')}
          </li>
        ))}
        {count > issues.length ? <li>and {quantityText(count - issues.length, 'more issue')}</li> : null}
      </ul>
      <p className="mt-1 wrap-anywhere text-ink-2">
        Rule: <code className="text-ink">{rule}</code>
      </p>
    </div>
  )
}

function splitHeading({ isSet, count }: SplitResult): string {
  if (isSet) return `New events are grouped by message: ${quantityText(count, 'issue')}.`
  if (count > 1) return `Would make ${quantityText(count, 'issue')}.`
  return 'Would create a single issue: the messages differ only in their values.'
}
