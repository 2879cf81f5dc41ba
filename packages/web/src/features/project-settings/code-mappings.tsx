/** Settings of where a project's sources are: frames link to their line in the repository. */

import { FormRefusal, FormSelect, FormText, Submit } from '#parts/form-parts.tsx'
import { useCan } from '#parts/frame-data.ts'
import { byWord } from '#ui/by-word.ts'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadSourceMaps } from './source-maps.server.ts'

export function CodeMappings() {
  const { mappings } = usePageData<typeof loadSourceMaps>()
  const mayWrite = useCan('project.write')
  return (
    <Section title="Code mappings" note="Link frames to your repository" id="mappings">
      {mappings.length === 0 ? (
        <p className="text-13 text-ink-2">No code mappings yet, so frames don’t link to the repository.</p>
      ) : (
        <Table caption="Paths and their repositories" stacks>
          <thead>
            <tr>
              <th>Path in stacks</th>
              <th>Path in the repository</th>
              <th>Repository</th>
              <th>Branch</th>
              {mayWrite ? (
                <th>
                  <span className="visually-hidden">Remove</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {mappings.map((mapping) => (
              <tr key={mapping.stackRoot}>
                <td>
                  <code className="foreign">{mapping.stackRoot === '' ? 'any' : mapping.stackRoot}</code>
                </td>
                <td data-label="In the repository">
                  <code className="foreign">{mapping.sourceRoot === '' ? '/' : mapping.sourceRoot}</code>
                </td>
                <td className="foreign">{mapping.repository}</td>
                <td className="foreign" data-label="Branch">
                  {mapping.branch}
                </td>
                {mayWrite ? (
                  <td className="stack-end">
                    <RemoveMapping stackRoot={mapping.stackRoot} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {mayWrite ? <AddMapping /> : null}
    </Section>
  )
}

function RemoveMapping({ stackRoot }: { readonly stackRoot: string }) {
  const toast = useToast()
  return (
    <ActionForm
      action="mapping.remove"
      hidden={{ stackRoot }}
      onResult={() => toast({ text: 'Mapping removed' })}
    >
      <Submit variant="danger-plain" size="small">
        Remove
      </Submit>
      <FormRefusal />
    </ActionForm>
  )
}

const HOST_NAMES: Readonly<Record<string, string>> = byWord({
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  bitbucket: 'Bitbucket',
})

function AddMapping() {
  const { hosts } = usePageData<typeof loadSourceMaps>()
  return (
    <details className="mt-4">
      <summary className="link text-13">Add a code mapping</summary>
      <ActionForm action="mapping.add" className="mt-3 grid form-width gap-4">
        <FormRefusal />
        <FormText
          name="repository"
          label="Repository"
          type="url"
          placeholder="https://github.com/acme/shop"
          required
        />
        <FormSelect name="host" label="Host" initial="github">
          {hosts.map((host) => (
            <option key={host} value={host}>
              {HOST_NAMES[host] ?? host}
            </option>
          ))}
        </FormSelect>
        <FormText name="branch" label="Default branch" initial="main" required />
        <FormText
          name="stackRoot"
          label="Path in stack traces begins with"
          mono
          placeholder="src/"
          hint="Leave empty for any path."
        />
        <FormText
          name="sourceRoot"
          label="Corresponding path in the repository"
          mono
          placeholder="apps/web/src/"
          hint="Leave empty for the root of the repository."
        />
        <div>
          <Submit variant="plain">Add mapping</Submit>
        </div>
      </ActionForm>
    </details>
  )
}
