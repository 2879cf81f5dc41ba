import { BrandMark } from '#parts/brand-mark.tsx'
import { paths } from '#parts/paths.ts'
import { PageLink } from '#wire/page-link.tsx'
import { Jump } from './rail.tsx'

/** Bar above a page of the app that is read without signing in. */
export function SignedOutBar({ onJump }: { readonly onJump: () => void }) {
  return (
    <header className="bar bar-signed-out">
      <PageLink to={paths.home()} className="bar-brand" aria-label="Errata, home">
        <BrandMark />
        <span>Errata</span>
      </PageLink>
      <Jump onJump={onJump} />
      <PageLink to={paths.signIn()} className="link touch inline-flex items-center text-13">
        Sign in
      </PageLink>
    </header>
  )
}
