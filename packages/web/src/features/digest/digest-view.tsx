/** Paste a number or a whole error page: the exception behind it, or an honest "not seen" with what to do. */
import { type FormEvent, useState } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { paths, withQuery } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { useNavigate } from '#wire/router.ts'
import type { loadDigest } from './digest.server.ts'
import { FoundDigest } from './found-digest.tsx'
import { FoundInText } from './found-in-text.tsx'
import { FoundReferences } from './found-references.tsx'
import { Lately } from './lately.tsx'
import { NextTime, UnseenDigest } from './unseen-digest.tsx'

type DigestData = Awaited<ReturnType<typeof loadDigest>>

export function DigestPage() {
  const data = usePageData<typeof loadDigest>()
  const { lookup } = data
  return (
    <div className="min-h-[inherit] wide:grid wide:grid-cols-[440px_minmax(0,1fr)]">
      <title>Digest · Errata</title>
      <section
        aria-label="Look up"
        className="bg-sunken p-6 max-wide:border-b max-phone:p-4 wide:border-e wide:pt-8"
      >
        <h1 className="text-20 font-strong">Look up a digest</h1>
        <p className="mt-1 text-14 text-ink-2">
          Paste the number or ID, or the whole text of the error page.
        </p>
        <PasteForm key={data.text} data={data} />
        <p className={`mt-8 max-w-[60ch] text-12 text-ink-3 ${lookup === null ? '' : 'max-phone:hidden'}`}>
          The same error in the same build always has the same digest. A new build may change it; both lead to
          the same issue. <DocsLink to="digests" />
        </p>
        <Lately />
      </section>
      <section
        aria-label="Answer"
        aria-live="polite"
        className="min-w-0 p-6 max-phone:p-4 wide:px-8 wide:pt-8"
      >
        {lookup === null ? (
          <Waiting />
        ) : lookup.answers.length === 0 ? (
          data.others.length > 0 ? (
            <FoundReferences targets={data.others} />
          ) : (
            <NothingRecognised text={data.text} />
          )
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
            {lookup.answers.map((answer, index) => (
              <div key={answer.digest} className={index === 0 ? '' : 'border-t pt-8'}>
                {answer.seen ? (
                  <FoundDigest answer={answer} elapsedMs={index === 0 ? lookup.elapsedMs : null} />
                ) : (
                  <UnseenDigest answer={answer} />
                )}
              </div>
            ))}
          </div>
        )}
      </section>
    </div>
  )
}

/** A GET form: its answer has an address, and it works without JavaScript. */
function PasteForm({ data }: { readonly data: DigestData }) {
  const navigate = useNavigate()
  const [isEdited, setEdited] = useState(false)
  const digests = (data.lookup?.answers ?? []).map(({ digest }) => digest)
  const count = digests.length + data.others.length
  // On a phone the answer stands on the first screen.
  const isAnswered = count > 0
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('text')
    if (typeof text === 'string' && text.trim() !== '') void navigate(digestPaths.digestOfText(text.trim()))
  }
  return (
    <form action={paths.digest()} onSubmit={submit} className="mt-4">
      <Field label="Number or text of the error page" labelHidden>
        {(wired) => (
          <div className="relative rounded-field bg-raised">
            {isEdited || digests.length === 0 ? null : (
              <FoundInText text={data.text} digests={digests} inputId={wired.id} />
            )}
            <textarea
              {...wired}
              name="text"
              rows={6}
              // An address holds so much; an error page says less.
              maxLength={4_000}
              defaultValue={data.text}
              onInput={() => setEdited(true)}
              data-search=""
              spellCheck={false}
              placeholder={'Application error: a server-side exception has occurred\nDigest: 2674428404'}
              className={`field relative block min-h-40 bg-transparent font-mono text-13 leading-6 ${isAnswered ? 'max-phone:field-sizing-content max-phone:min-h-16' : ''}`}
            />
          </div>
        )}
      </Field>
      <div className="mt-2 flex items-center justify-between gap-3">
        <span className={`flex items-center gap-1.5 text-13 ${count === 0 ? 'text-ink-3' : 'text-good'}`}>
          {data.lookup === null ? null : count === 0 ? (
            'No digest in the text'
          ) : (
            <>
              <Icon name="check" size={14} />{' '}
              {quantityText(count, data.others.length > 0 ? 'reference' : 'digest')} found in the text
            </>
          )}
        </span>
        <Button type="submit" variant="primary" className="touch">
          Look up
        </Button>
      </div>
    </form>
  )
}

function Waiting() {
  return (
    <div className="grid max-w-[70ch] gap-6">
      <p className="text-14 text-ink-2">
        The error page of a server-rendered app shows a digest instead of the error. Look it up here to find
        the exception: where it was thrown, in which build, and how often.
      </p>
      <figure className="rounded-field border">
        <figcaption className="border-b px-4 py-2 text-12 text-ink-2">
          What a visitor sees: the digest is the number at the end
        </figcaption>
        <div className="grid gap-2 bg-raised px-4 py-10 text-center max-phone:py-6">
          <p className="text-15">Application error: a server-side exception has occurred</p>
          <p className="text-13 text-ink-2">
            Digest: <mark className="border-b border-accent bg-accent-soft text-ink">2674428404</mark>
          </p>
        </div>
      </figure>
      <p className="text-13 text-ink-2">
        Event and trace IDs work too, and Ctrl K finds all of them from any page.
      </p>
    </div>
  )
}

/** Ids of events and traces. */
const ID = /(?<![\w-])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/i

function NothingRecognised({ text }: { readonly text: string }) {
  if (ID.test(text)) return <UnseenReference />
  return (
    <div className="max-w-[70ch]">
      <h2 className="text-15 font-strong">No digest in this text</h2>
      <p className="mt-1 text-13 text-ink-2">
        A digest is a number of up to 20 digits, often after the word “Digest”. Event and trace IDs work too,
        for projects you can see. An error page without either failed in the browser: search the issues for
        its message.
      </p>
      <NextTime platform="other" />
    </div>
  )
}

function UnseenReference() {
  return (
    <div className="max-w-[70ch]">
      <h2 className="text-15 font-strong">Not seen</h2>
      <p className="mt-1 text-13 text-ink-2">
        There is no event or trace with this ID in the projects you can see. Its retention may have ended, or
        it was not sampled.
      </p>
    </div>
  )
}

const digestPaths = {
  digestOfText: (text: string) => withQuery('/digest', { text }),
} as const
