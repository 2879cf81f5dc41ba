/** A sentence in which what stands in straight quotes is a command, to be copied as it is. */
export function CommandText({ text }: { readonly text: string }) {
  return text.split('"').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence, which never change places
      <code key={index} className="text-12">
        {part}
      </code>
    ),
  )
}
