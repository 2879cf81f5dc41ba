import { FormLines, FormRefusal, Submit } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadFilters } from './filters.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadFilters>>

export function FiltersView() {
  const view = usePageData<typeof loadFilters>()
  const mayWrite = useCan('project.write')
  const toast = useToast()
  return (
    <ProjectSettingsPage org={view.org} project={view.project} title="Inbound filters">
      {mayWrite ? null : <ReadOnlyNote />}
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        What a filter meets is not stored and is no issue. It is counted as filtered, under the filter’s name,
        on{' '}
        <PageLink
          className="link underline"
          to={paths.outcomes(view.org, { project: view.project.slug, range: '7d' })}
        >
          Outcomes
        </PageLink>
        . Filters hold for events that arrive from now on.
      </p>
      <ActionForm action="project.filters" onResult={() => toast({ text: 'Saved' })}>
        <fieldset disabled={!mayWrite} className="max-w-160">
          <FormRefusal />
          <Seen key={view.project.slug} values={view.seen} />
          <SourceFilters view={view} />
          <ListFilters view={view} />
          {mayWrite ? (
            <div className="pb-5">
              <Submit>Save</Submit>
            </div>
          ) : null}
        </fieldset>
      </ActionForm>
      <Origins view={view} />
    </ProjectSettingsPage>
  )
}

function SourceFilters({ view }: { readonly view: View }) {
  const { filters } = view
  return (
    <Section title="Where events come from">
      <div className="grid gap-4">
        <FormTick
          name="browserExtensions"
          label="Browser extensions"
          initial={filters.browserExtensions}
          end={<Dropped view={view} rule="browser-extensions" />}
          hint="The failing call is an extension’s (chrome-extension://, moz-extension://, safari-web-extension://), or the message is one that extensions are known by."
        />
        <FormTick
          name="localhost"
          label="Local machines"
          initial={filters.localhost}
          end={<Dropped view={view} rule="localhost" />}
          hint="The page or request is of localhost, *.localhost, 127.0.0.0/8, ::1 or 0.0.0.0. A server behind a proxy that does not pass the host on looks local, too. Server names are not looked at."
        />
        <FormTick
          name="crawlers"
          label="Web crawlers"
          initial={filters.crawlers}
          end={<Dropped view={view} rule="web-crawlers" />}
          hint="The user agent is a search engine’s, a link preview’s or another crawler’s. HTTP clients of other services and headless browsers of tests are none."
        />
      </div>
    </Section>
  )
}

function ListFilters({ view }: { readonly view: View }) {
  const { filters, limits } = view
  const patterns = `One a line, at most ${limits.patterns}, each with at most ${limits.stars} asterisks.`
  return (
    <Section title="What events say">
      <div className="grid gap-4">
        <FormLines
          name="releases"
          label={<Labelled view={view} rule="release-version" text="Releases" />}
          hint={`${patterns} “shop@1.*” drops every 1.x; * stands for any text, in any case.`}
          rows={3}
          mono
          initial={filters.releases.join('\n')}
        />
        <FormLines
          name="messages"
          label={<Labelled view={view} rule="error-message" text="Messages" />}
          hint={`${patterns} The whole of “Type: value”, of the value, of the type or of the message: “TypeError: *”, “*ResizeObserver loop*”.`}
          rows={4}
          mono
          initial={filters.messages.join('\n')}
        />
        <FormLines
          name="addresses"
          label={<Labelled view={view} rule="ip-address" text="Client addresses" />}
          hint={`One a line, at most ${limits.addresses}: 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32. Whoever sends the event, and the address the event gives its user.`}
          rows={3}
          mono
          initial={filters.addresses.join('\n')}
        />
      </div>
    </Section>
  )
}

/** Allowed domains stand with scrubbing; what they drop is counted here with the rest. */
function Origins({ view }: { readonly view: View }) {
  return (
    <div className="max-w-160">
      <Section title="Allowed domains" end={<Dropped view={view} rule="cors" />}>
        <p className="text-13 text-ink-2">
          {view.allowedDomains === 0
            ? 'Pages of any domain may send. '
            : `Pages of ${quantityText(view.allowedDomains, 'domain')} may send, others are refused with 403. `}
          <PageLink className="link underline" to={paths.projectScrubbing(view.org, view.project.slug)}>
            Scrubbing and origins
          </PageLink>
        </p>
      </Section>
    </div>
  )
}

function Labelled(props: { readonly view: View; readonly rule: string; readonly text: string }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {props.text} <Dropped view={props.view} rule={props.rule} />
    </span>
  )
}

function Dropped({ view, rule }: { readonly view: View; readonly rule: string }) {
  const count = view.dropped[rule] ?? 0
  return (
    <span className="num ms-auto text-12 text-ink-3">
      {count === 0 ? 'none' : numberText(count)} dropped in {view.days} days
    </span>
  )
}
