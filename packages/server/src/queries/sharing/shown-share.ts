import type { SecretSeal } from '#access/seal.ts'
import type { IssueShare } from '#ports/issue-shares.ts'
import type { ShownShare } from '../sharing-types.ts'

/** A link with its secret, where the key that sealed it is there. */
export function shownShare(
  { sealedToken, ...share }: IssueShare,
  seal: Pick<SecretSeal, 'open'>,
): ShownShare {
  return { ...share, token: sealedToken === null ? null : seal.open(sealedToken) }
}
