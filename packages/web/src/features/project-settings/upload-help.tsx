/** How source maps get here. */

import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Section } from '#ui/section.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadSourceMaps } from './source-maps.server.ts'

export function UploadHelp() {
  const { org, project, url } = usePageData<typeof loadSourceMaps>()
  const settings = [`SENTRY_URL=${url}`, `SENTRY_ORG=${org}`, `SENTRY_PROJECT=${project.slug}`].join('\n')
  return (
    <Section title="Upload from CI">
      <p className="mb-2 text-13 text-ink-2">
        Set these variables and a secret <code>SENTRY_AUTH_TOKEN</code>{' '}
        <PageLink className="link underline" to={paths.tokens(org)}>
          (create a token)
        </PageLink>
        . Then do one of the following after the build, before you deploy.{' '}
        <DocsLink to="readable-stacks#2-upload-with-each-build" />
      </p>
      <Code text={settings} name="Copy the variables" />
      <dl className="mt-4 grid gap-3 text-13">
        <div>
          <dt className="font-strong">Sentry’s bundler plugins</dt>
          <dd className="text-ink-2">
            They work unchanged and inject and upload with each build: Vite, webpack, Rollup, esbuild,
            Next.js.
          </dd>
        </div>
        <div>
          <dt className="font-strong">sentry-cli</dt>
          <dd>
            <Code
              text={'sentry-cli sourcemaps inject ./dist\nsentry-cli sourcemaps upload ./dist'}
              name="Copy the commands of sentry-cli"
            />
          </dd>
        </div>
        <div>
          <dt className="font-strong">errata upload-build</dt>
          <dd>
            <p className="text-ink-2">
              No plugin needed: injects, uploads, and checks that each file resolves.
            </p>
            <Code
              text={`npx --yes ${url}/packages/errata.tgz upload-build ./dist`}
              name="Copy the command of Errata"
            />
          </dd>
        </div>
      </dl>
    </Section>
  )
}

export function Code({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <div className="mt-1 flex items-start gap-2 rounded-field border bg-sunken px-3 py-2">
      <code className="foreign min-w-0 flex-1 text-12 whitespace-pre-wrap">{text}</code>
      <CopyButton text={text} name={name} />
    </div>
  )
}
