/**
 * Parts of a path that only webpack writes: the step to its own folder, or a module of its own, behind the
 * name of the build.
 */
const OF_BUILD =
  /^((?:@[^/:]+\/)?[^./:@][^/:]*)\/(?:\.\/|external [a-z]|webpack\/(?:bootstrap$|startup$|runtime\/))/

/**
 * Plugins that upload take the scheme off what webpack calls a source: `webpack://shop/./src/cart.ts` comes as
 * `shop/./src/cart.ts`, and as `shop/src/page.tsx` where a loader had a map of its own. Which folder is the name of the
 * build is told by the map's other sources.
 */
export function withWebpackScheme(sources: readonly (string | null)[]): readonly (string | null)[] {
  const builds = new Set(sources.flatMap((source) => OF_BUILD.exec(source ?? '')?.[1] ?? []))
  if (builds.size === 0) return sources
  return sources.map((source) => {
    const build = [...builds].find((each) => source?.startsWith(`${each}/`))
    return source === null || build === undefined ? source : `webpack:///${source.slice(build.length + 1)}`
  })
}
