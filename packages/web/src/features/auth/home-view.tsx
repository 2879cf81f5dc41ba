/** Never seen: the loader of `/` always leads elsewhere. */
export function HomeView() {
  return null
}
