/**
 * The browser's mirror of a server failure carries the server's digest. The server's exception owns the number; its
 * mirrors are counted with it. A mirror owns it only while nothing else is known, in whichever project.
 */
import type { DigestMatch } from '#ports/issues.ts'

export interface FoldedMirrorCount {
  /** Events of other issues that only mirror this one; not part of `count`. */
  readonly foldedMirrors: number
}

/** Matches without those that are mirrors of another match of the same digest; their counts go to what they mirror. */
export function ownersOfDigests<Match extends DigestMatch>(
  matches: readonly Match[],
): readonly (Match & FoldedMirrorCount)[] {
  const byDigest = Map.groupBy(matches, ({ digest }) => digest)
  return matches.flatMap((match) => {
    const same = byDigest.get(match.digest) ?? []
    const owners = same.filter((each) => !isMirrorMatch(each))
    if (owners.length === 0) return [{ ...match, foldedMirrors: 0 }]
    if (isMirrorMatch(match)) return []
    const foldedMirrors = same
      .filter((each) => isMirrorMatch(each) && mirroredBy(each, owners) === match)
      .reduce((sum, each) => sum + each.count, 0)
    return [{ ...match, foldedMirrors }]
  })
}

/** A number that this match has from mirrors alone. */
export function isMirrorMatch({ count, mirrorCount }: DigestMatch): boolean {
  return mirrorCount >= count
}

/** The owner of the same build, else the newest. */
function mirroredBy(mirror: DigestMatch, owners: readonly DigestMatch[]): DigestMatch | undefined {
  return owners.find(({ release }) => release === mirror.release) ?? owners[0]
}
