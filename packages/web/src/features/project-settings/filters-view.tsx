import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { byWord } from '#ui/by-word.ts'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadFilters } from './filters.server.ts'
import { OptionsForm } from './options-form.tsx'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadFilters>>

/** Reasons under which filters count what they drop, by the names of their fields. */
const RULES: Readonly<Record<string, string>> = byWord({
  browserExtensions: 'browser-extensions',
  localhost: 'localhost',
  crawlers: 'web-crawlers',
  controlFlow: 'control_flow',
  aborted: 'aborted',
  releases: 'release-version',
  messages: 'error-message',
  addresses: 'ip-address',
})

export function FiltersView() {
  const view = usePageData<typeof loadFilters>()
  const mayWrite = useCan('project.write')
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Inbound filters">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Events that match a filter are not stored. They are counted as filtered, under the filter’s name, on{' '}
        <PageLink
          className="link underline"
          to={paths.outcomes(view.org, { project: view.project.slug, range: '7d' })}
        >
          Outcomes
        </PageLink>
        . Changes apply to events that arrive from now on.
      </p>
      <OptionsForm
        action="project.filters"
        view={view}
        fields={view.fields}
        titled
        numbersLines
        ends={(name) => <Dropped view={view} rule={RULES[name]} />}
      />
      <Origins view={view} />
    </ProjectSettingsPage>
  )
}

/** Allowed domains stand with scrubbing; what they drop is counted here with the rest. */
function Origins({ view }: { readonly view: View }) {
  return (
    <div className="form-width">
      <Section title="Allowed domains" end={<Dropped view={view} rule="cors" />}>
        <p className="text-13 text-ink-2">
          {view.allowedDomains === 0
            ? 'Browsers may send from any domain. '
            : `Browsers may send from ${quantityText(view.allowedDomains, 'domain')}. Others are refused with 403. `}
          <PageLink className="link underline" to={paths.projectScrubbing(view.org, view.project.slug)}>
            Data scrubbing
          </PageLink>
        </p>
      </Section>
    </div>
  )
}

function Dropped({ view, rule }: { readonly view: View; readonly rule: string | undefined }) {
  if (rule === undefined) return null
  const count = view.dropped[rule] ?? 0
  return (
    <span className="num ms-auto text-12 text-ink-3">
      {count === 0 ? 'None' : numberText(count)} filtered in {view.days} days
    </span>
  )
}
