/** Uploads of build tools for a project, newest first. */
import { BundleLastUsed, BundleMaps } from '#parts/bundle-cells.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { bytesText, numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadSourceMaps } from './source-maps.server.ts'
import { Code } from './upload-help.tsx'

type Bundle = Awaited<ReturnType<typeof loadSourceMaps>>['bundles'][number]

export function BundleSection() {
  const { bundles, usage, query } = usePageData<typeof loadSourceMaps>()
  const isEmpty = bundles.length === 0
  return (
    <Section
      title="Uploads"
      id="uploads"
      note={
        usage.bundles === 0
          ? undefined
          : `${quantityText(usage.bundles, 'bundle')}, ${bytesText(usage.bytes)} in the organisation`
      }
      end={isEmpty && query === '' ? undefined : <Filter />}
    >
      <Fullness />
      {isEmpty ? <NoBundles /> : <BundleTable bundles={bundles} />}
      <Pages />
    </Section>
  )
}

const NEARLY_FULL = 0.9

/** Tells whom the bound of the organisation will take uploads from. */
function Fullness() {
  const { usage, quota } = usePageData<typeof loadSourceMaps>()
  const share = Math.max(usage.bundles / quota.bundlesMax, usage.bytes / quota.bytesMax)
  if (share < NEARLY_FULL) return null
  return (
    <p className="mb-3 text-13 text-ink-2">
      The organisation keeps {quantityText(quota.bundlesMax, 'bundle')} of {bytesText(quota.bytesMax)}{' '}
      together. Above that, the oldest uploads of the project that uses the most are deleted.
    </p>
  )
}

function NoBundles() {
  const { org, project, url, query, isFirst } = usePageData<typeof loadSourceMaps>()
  if (query !== '' || !isFirst)
    return (
      <p className="text-13 text-ink-2">
        {query === '' ? 'No older uploads.' : 'No upload has this release, debug ID or file.'}
      </p>
    )
  return (
    <>
      <p className="text-13 text-ink-2">
        No source maps have been uploaded to this project yet. After a build, with a token in{' '}
        <code>SENTRY_AUTH_TOKEN</code>, run:
      </p>
      <Code
        text={`npx --yes ${url}/packages/errata.tgz upload-build ./dist --url ${url} --org ${org} --project ${project.slug}`}
        name="Copy the command that uploads a build"
      />
    </>
  )
}

function Filter() {
  const { org, project, query } = usePageData<typeof loadSourceMaps>()
  return (
    <form method="get" action={paths.projectSourceMaps(org, project.slug)} className="flex gap-2">
      <input
        className="field w-56"
        type="search"
        name="query"
        defaultValue={query}
        aria-label="Filter uploads"
        placeholder="Debug ID, file, release"
      />
      <button type="submit" className="btn">
        Filter
      </button>
    </form>
  )
}

function BundleTable({ bundles }: { readonly bundles: readonly Bundle[] }) {
  const mayDelete = useCan('release.write')
  return (
    <Table caption="Uploads, newest first" stacks="columns" className="[--stack-columns:4] [--stack-end:-2]">
      <thead>
        <tr>
          <th>Release</th>
          <th className="stack-lead">Maps</th>
          <th className={tableNum}>Files</th>
          <th className={tableNum}>Size</th>
          <th>Uploaded</th>
          <th>Last used</th>
          {mayDelete ? (
            <th className="stack-end">
              <span className="visually-hidden">Delete</span>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {bundles.map((bundle) => (
          <BundleRow key={bundle.id} bundle={bundle} mayDelete={mayDelete} />
        ))}
      </tbody>
    </Table>
  )
}

function BundleRow({ bundle, mayDelete }: { readonly bundle: Bundle; readonly mayDelete: boolean }) {
  const { release, dist, fileCount, bytes, uploadedMs, uploadedBy } = bundle
  return (
    <tr>
      <td className="foreign max-w-56 align-top">
        {release ?? <span className="text-ink-3">none, by debug ID</span>}
        {dist === null ? null : <span className="block text-12 text-ink-3">dist {dist}</span>}
      </td>
      <td className="stack-lead align-top">
        <BundleMaps bundle={bundle} />
      </td>
      <td className={`${tableNum} align-top`}>{numberText(fileCount)}</td>
      <td className={`${tableNum} align-top`}>{bytesText(bytes)}</td>
      <td className="align-top">
        <span className="whitespace-nowrap">
          <Time ms={uploadedMs} />
        </span>
        <span className="foreign block text-12 text-ink-3">{uploadedBy}</span>
      </td>
      <td className="align-top whitespace-nowrap">
        <BundleLastUsed bundle={bundle} />
      </td>
      {mayDelete ? (
        <td className="stack-end text-end align-top">
          <DeleteBundle bundle={bundle} />
        </td>
      ) : null}
    </tr>
  )
}

function DeleteBundle({ bundle }: { readonly bundle: Bundle }) {
  const toast = useToast()
  return (
    <ActionForm
      action="artifact.delete"
      hidden={{ bundle: bundle.id }}
      onResult={() => toast({ text: 'Upload deleted' })}
    >
      <Submit variant="danger-plain" size="small">
        Delete
      </Submit>
      <FormRefusal />
    </ActionForm>
  )
}

function Pages() {
  const { org, project, query, nextBefore, isFirst } = usePageData<typeof loadSourceMaps>()
  if (isFirst && nextBefore === null) return null
  return (
    <nav aria-label="Pages of uploads" className="mt-4 flex gap-2">
      {isFirst ? null : (
        <PageLink className="btn" to={paths.projectSourceMaps(org, project.slug, { query })}>
          Newest
        </PageLink>
      )}
      {nextBefore === null ? null : (
        <PageLink
          className="btn"
          to={paths.projectSourceMaps(org, project.slug, { query, before: nextBefore })}
        >
          Older
        </PageLink>
      )}
    </nav>
  )
}
