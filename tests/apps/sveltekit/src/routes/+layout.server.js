/** Beside a page's own load, so that both are awaited together. */
export async function load() {
  return { shop: 'Garden' }
}
