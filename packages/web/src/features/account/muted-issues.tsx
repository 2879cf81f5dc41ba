/** Issues that one person muted for themselves. */
import { FoldSection } from '#parts/fold-section.tsx'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { numberText } from '#ui/number-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { loadAccountNotices } from './account.server.ts'

type Muted = Extract<Awaited<ReturnType<typeof loadAccountNotices>>, { readonly isForeign: false }>['muted']

export function MutedIssues({ muted }: { readonly muted: Muted }) {
  const toast = useToast()
  return (
    <FoldSection
      title="Muted issues"
      state={muted.length === 0 ? 'none' : numberText(muted.length)}
      verb="Show"
      open={muted.length > 0}
    >
      <p className="mb-3 max-w-160 text-13 text-ink-2">
        {muted.length === 0
          ? 'Mute an issue under “More actions” on its page, and you get no messages about it.'
          : 'You get no messages about these issues.'}
      </p>
      <ul className="max-w-160">
        {muted.map(({ id, shortId, title, organisation }) => (
          <li key={id} className="flex items-center gap-3 border-t py-2">
            <PageLink to={paths.issue(organisation, shortId)} className="min-w-0 flex-1 hover:underline">
              <span className="foreign block truncate text-13">{title}</span>
              <span className="text-12 text-ink-3">{shortId}</span>
            </PageLink>
            <ActionForm
              action="account.unmute"
              hidden={{ issue: id }}
              onResult={() => toast({ text: 'Unmuted' })}
            >
              <Button type="submit" size="small" className="touch">
                Unmute<span className="visually-hidden"> {shortId}</span>
              </Button>
            </ActionForm>
          </li>
        ))}
      </ul>
    </FoldSection>
  )
}
