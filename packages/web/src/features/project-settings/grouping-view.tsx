import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { RuleEditor } from '#parts/rule-editor.tsx'
import { Seen } from '#parts/seen.tsx'
import { Button } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { GroupingResult, loadGrouping } from './grouping.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadGrouping>>

const EXAMPLE = `# Database outages are one issue, whatever the query
error.type:DatabaseUnavailable -> database-down title="Database down"
# One issue per transaction
message:"*timed out*" path:**/payments/* -> payment-timeout, {{ transaction }}
# Keep the default group, change the title
logger:cron.* -> {{ default }} title="{{ error.type }} in {{ logger }}"`

/** Fingerprint rules, and what they would change before they are saved. */
export function GroupingView() {
  const view = usePageData<typeof loadGrouping>()
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Grouping">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Fingerprint rules decide which events form one issue. One rule per line; the first match wins, even
        over a fingerprint set by the SDK. Changes apply to events that arrive from now on.
      </p>
      <RulesForm view={view} mayWrite={mayWrite} />
      <div className="max-w-160">
        <Section title="Syntax">
          <CodeBlock
            label="Examples"
            lines={EXAMPLE.split('\n').map((text, index) => ({ number: index + 1, text }))}
          />
          <p className="mt-3 text-13 text-ink-2">
            Matchers: error.type, error.value, message, logger, level, release, transaction, sdk, tags.NAME,
            stack.function, stack.module, stack.abs_path, stack.package, app, family; ! negates. * matches any
            text; case doesn’t matter. Variables: {'{{ error.type }}'}, {'{{ error.value }}'},{' '}
            {'{{ stack.function }}'}, {'{{ transaction }}'}, {'{{ tags.NAME }}'}, {'{{ default }}'}.
          </p>
        </Section>
      </div>
    </ProjectSettingsPage>
  )
}

function RulesForm({ view, mayWrite }: { readonly view: View; readonly mayWrite: boolean }) {
  const toast = useToast()
  const { rules, added } = view
  const initial =
    added === '' || rules.includes(added) ? rules : `${rules}${rules === '' ? '' : '\n'}${added}`
  return (
    <ActionForm<GroupingResult>
      action="project.grouping"
      onResult={({ preview }) => {
        if (preview === null) toast({ text: 'Saved' })
      }}
    >
      {({ pending, result }) => (
        <fieldset disabled={!mayWrite}>
          <FormRefusal />
          <Seen key={view.project.slug} values={view.seen} />
          <RuleEditor
            name="rules"
            label="Fingerprint rules"
            hint={`At most ${view.limits.rules}, one per line. Lines that begin with # are comments.`}
            rows={10}
            initial={initial}
          />
          {mayWrite ? (
            <div className="flex flex-wrap items-center gap-3 py-4">
              <Submit>Save</Submit>
              <Button type="submit" name="step" value="preview" className="touch" busy={pending}>
                Preview
              </Button>
            </div>
          ) : null}
          <PreviewText preview={result?.preview ?? null} />
        </fieldset>
      )}
    </ActionForm>
  )
}

function PreviewText({ preview }: { readonly preview: GroupingResult['preview'] }) {
  if (preview === null) return null
  const { looked, events, cut, issues, met } = preview
  return (
    <div role="status" className="mb-4 rounded-field border bg-sunken px-4 py-2.5 text-13">
      <p className="num">
        <b className="font-strong">
          {events === 0
            ? 'Would change no events.'
            : `Would change ${quantityText(events, 'event')} of ${quantityText(issues, 'issue')}.`}
        </b>{' '}
        <span className="text-ink-2">
          Of the last {quantityText(looked, 'event')}. Stored events stay where they are.
        </span>
      </p>
      {cut === 0 ? null : (
        <p className="num mt-1 text-bad">
          The rules take too long for {quantityText(cut, 'event')}: the rules below were not applied to them.
          Use fewer patterns with several *.
        </p>
      )}
      {met.length === 0 ? null : (
        <ul className="num mt-1 text-ink-2">
          {met.map(({ line, events: decided, title }) => (
            <li key={line} className="wrap-anywhere">
              Line {line}: {quantityText(decided, 'event')}, such as <bdi className="text-ink">{title}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
