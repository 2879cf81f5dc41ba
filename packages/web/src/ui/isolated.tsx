import { Fragment } from 'react'

/**
 * Texts that others wrote, one after the other: each is read in its own direction, so that a name in Hebrew or Arabic
 * leaves its neighbours and what stands between them where they are.
 */
export function Isolated(props: { readonly texts: readonly string[]; readonly between?: string }) {
  const { texts, between = ', ' } = props
  return texts.map((text, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text may stand twice, and none of them moves
    <Fragment key={at}>
      {at === 0 ? '' : between}
      <bdi>{text}</bdi>
    </Fragment>
  ))
}
