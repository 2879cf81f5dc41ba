import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { paths } from '#parts/paths.ts'
import { Seen } from '#parts/seen.tsx'
import { ShownOnce } from '#parts/shown-once.tsx'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { NoticeTest } from './notice-test.tsx'
import type { loadNotices } from './notices.server.ts'

const SECRET_NOTE =
  'Copy it now. It won’t be shown again. The receiver checks the Errata-Signature header with it.'

/** Form of the address that gets each alert as JSON. */
export function WebhookSection({ mayWrite }: { readonly mayWrite: boolean }) {
  const { org, seen, webhook, privateTargets } = usePageData<typeof loadNotices>()
  if (webhook === null) return <NoWebhook org={org} />
  return (
    <FoldSection
      title="Webhook"
      state={
        <>
          {hostOf(webhook.url)}, set <Time ms={webhook.changedMs} />
        </>
      }
      verb={mayWrite ? 'Change' : 'Show'}
      action="notices.webhook"
    >
      <p className="mb-4 max-w-160 text-13 text-ink-2">
        Called for new issues and regressions of this project. Further webhooks are{' '}
        <PageLink className="link underline" to={paths.alertChannels(org)}>
          channels
        </PageLink>
        .
      </p>
      {mayWrite ? (
        <UrlForm url={webhook.url} seen={seen.webhook} privateTargets={privateTargets} />
      ) : (
        <p className="text-13 text-ink-2">
          Calls <code className="foreign">{webhook.url}</code>
        </p>
      )}
      {mayWrite ? <WebhookControls /> : null}
    </FoldSection>
  )
}

/** Leads to channels, for a project that has no webhook of its own. */
function NoWebhook({ org }: { readonly org: string }) {
  return (
    <Section title="Webhook and chat">
      <p className="max-w-160 text-13 text-ink-2">
        Webhooks, chat and pagers are{' '}
        <PageLink className="link underline" to={paths.alertChannels(org)}>
          channels
        </PageLink>
        . An{' '}
        <PageLink className="link underline" to={paths.alerts(org)}>
          alert rule
        </PageLink>{' '}
        decides what is sent to them.
      </p>
    </Section>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function UrlForm(props: { readonly url: string; readonly seen: string; readonly privateTargets: boolean }) {
  const { url, privateTargets } = props
  const toast = useToast()
  const reach = privateTargets
    ? 'This server may call private networks.'
    : 'Private networks and this machine are never called.'
  return (
    <ActionForm<{ readonly secret: string | null }>
      action="notices.webhook"
      className="grid form-width gap-4"
      onResult={({ secret }) => toast({ text: secret === null ? 'Saved' : 'Webhook added' })}
    >
      {({ result }) => (
        <>
          {result === null || result.secret === null ? null : (
            <ShownOnce
              title="Webhook secret"
              secret={result.secret}
              name="Copy the secret"
              note={SECRET_NOTE}
            />
          )}
          <FormRefusal />
          <Seen values={props.seen} />
          <FormText
            name="url"
            label="URL"
            type="url"
            mono
            initial={url}
            placeholder="https://hooks.example.com/errata"
            hint={`https or http, without user name or password. Each alert is sent as signed JSON; redirects are not followed. ${reach}`}
            required
          />
          <div>
            <Submit>Save</Submit>
          </div>
        </>
      )}
    </ActionForm>
  )
}

function WebhookControls() {
  const toast = useToast()
  return (
    <>
      <NoticeTest channel="webhook" note="Sends a signed alert of kind “test”." />
      <div className="mt-3 flex flex-wrap items-start gap-2">
        <ActionForm<{ readonly secret: string }> action="notices.webhook-secret" className="grid gap-3">
          {({ result }) => (
            <>
              <div>
                <Submit variant="plain" size="small">
                  New secret
                </Submit>
              </div>
              <FormRefusal />
              {result === null ? null : (
                <ShownOnce
                  title="New secret. The old one no longer signs"
                  secret={result.secret}
                  name="Copy the secret"
                  note={SECRET_NOTE}
                />
              )}
            </>
          )}
        </ActionForm>
        <ActionForm action="notices.webhook-remove" onResult={() => toast({ text: 'Webhook removed' })}>
          <Submit variant="danger-plain" size="small">
            Remove webhook
          </Submit>
          <FormRefusal />
        </ActionForm>
      </div>
    </>
  )
}
