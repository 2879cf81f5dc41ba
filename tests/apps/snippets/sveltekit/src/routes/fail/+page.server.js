export function load() {
  throw new Error('the server of sveltekit fails')
}
