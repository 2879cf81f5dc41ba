/** Files that a build writes and a deploy replaces, as their paths tell. */

const ASSET =
  /\/(?:assets|build|_next\/static|_nuxt|_app\/immutable|_astro|static\/(?:js|css|chunks)|chunks)\/[^?#]{1,512}\.(?:m?js|css)(?:[?#]|$)/

/** `/assets/orders-BxT3f9aa.js`; not `/favicon.ico`, `/about` or `/images/logo.png`. */
export function isAssetPath(path: string): boolean {
  return ASSET.test(path)
}
