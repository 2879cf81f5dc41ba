import { BrandMark } from '#parts/brand-mark.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadConnectSlack } from './apps.server.ts'

/** Asked once of whoever pressed a button in Slack. */
export function ConnectSlackView() {
  const { organisation, channel, slackName, slackUser, email } = usePageData<typeof loadConnectSlack>()
  return (
    <div className="auth">
      <title>Connect Slack · Errata</title>
      <p className="mb-5 flex items-center gap-2 text-14 font-strong">
        <BrandMark /> Errata
      </p>
      <h1 className="text-20 font-strong">Connect Slack</h1>
      <p className="mt-1 text-13 text-ink-2">
        Buttons that <b className="foreign font-strong text-ink">{slackName}</b>{' '}
        <span className="foreign">({slackUser})</span> presses in Slack then act in{' '}
        <span className="foreign">{organisation}</span> as <span className="foreign">{email}</span>, within
        your role.
      </p>
      <p className="mt-3 text-13 text-ink-2">
        Continue only if you just pressed a button in a message of the channel{' '}
        <span className="foreign">{channel}</span> yourself. Anyone who knows the signing secret of its Slack
        app can press buttons in your name.
      </p>
      <ActionForm action="account.connect-slack" className="mt-6 grid gap-4">
        <FormRefusal />
        <Submit>Connect</Submit>
        <p className="text-13 text-ink-2">
          <PageLink className="link" to={paths.home()}>
            Cancel
          </PageLink>
        </p>
      </ActionForm>
    </div>
  )
}
