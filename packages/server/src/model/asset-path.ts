/** Files that a build writes and a deploy replaces, as their paths tell. */

const ASSET =
  /\/(?:assets|build|_next\/static|_nuxt|_app\/immutable|_astro|static\/(?:js|css|chunks)|chunks)\/[^?#]{1,512}\.(?:m?js|css)(?:[?#]|$)/

/** `/assets/orders-BxT3f9aa.js`; not `/favicon.ico`, `/about` or `/images/logo.png`. */
export function isAssetPath(path: string): boolean {
  return ASSET.test(path)
}

/**
 * Names that change with what is in the file: `index-BxT3f9aa.css`, `12.a1b2c3d4.js`; everything that Next.js serves; of
 * Nuxt, SvelteKit and Astro also a hash alone, `/_nuxt/CgnU50_y.js`, which `manifest.js` is not.
 */
const HASHED =
  /\/_next\/static\/|[-._][\w-]{6,64}\.(?:m?js|css)(?:[?#]|$)|\/(?:_nuxt|_astro|_app\/immutable(?:\/\w{1,20})?)\/(?=[\w-]{0,8}[A-Z\d_-])[\w-]{8}\.(?:m?js|css)(?:[?#]|$)/

/**
 * True for a path that some build had; not `/assets/jquery.js`, which is asked for wherever somebody looks for holes.
 */
export function isBuiltAsset(path: string): boolean {
  return isAssetPath(path) && HASHED.test(path)
}

export function isStylesheet(path: string): boolean {
  return /\.css(?:[?#]|$)/.test(path)
}
