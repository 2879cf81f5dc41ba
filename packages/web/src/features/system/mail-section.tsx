import type { SystemView } from '@errata/server/queries'
import { DocsLink } from '#parts/docs-link.tsx'
import { FoldSection } from '#parts/fold-section.tsx'
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { numberText } from '#ui/number-text.ts'
import { ActionForm } from '#wire/action-form.tsx'
import { CommandText } from './command-text.tsx'

interface TestResult {
  readonly sent: boolean
  readonly says: string
  readonly to: string
}

/** The mail server, and whether it takes an email. */
export function MailSection({ mail }: { readonly mail: SystemView['mail'] }) {
  if (mail === null)
    return (
      <FoldSection title="Email" state="off" verb="Set up">
        <p className="max-w-160 text-13 text-ink-2">
          <CommandText
            text={
              'No mail server is set, so no email is sent. Start Errata with "--smtp-url" and "--mail-from".'
            }
          />{' '}
          <DocsLink to="operating/configure#email" />
        </p>
      </FoldSection>
    )
  return (
    <FoldSection title="Email" state={`from ${mail.from}`} verb="Test" action="system.test-mail">
      <ActionForm<TestResult> action="system.test-mail" className="grid form-width gap-3">
        {({ result }) => (
          <>
            <p className="foreign text-13 text-ink-2">
              {`From ${mail.from} by ${mail.server}. Since the start ${numberText(mail.sent)} sent, ${numberText(mail.failed)} failed.`}
            </p>
            {result === null ? null : (
              <p role="status" className={`foreign text-13 ${result.sent ? 'text-good' : 'text-bad'}`}>
                {result.sent
                  ? `Sent to ${result.to}. ${result.says}`
                  : `Not sent to ${result.to}. ${result.says}`}
              </p>
            )}
            <FormRefusal />
            <div>
              <Submit variant="plain">Send a test email</Submit>
            </div>
          </>
        )}
      </ActionForm>
    </FoldSection>
  )
}
