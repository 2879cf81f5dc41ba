/** Never seen: its loader always refuses. */
export function NotFoundView() {
  return null
}
