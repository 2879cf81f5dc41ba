/** Parts one way to do something from the next: a hairline with a word in it. */
export function OrLine({ children }: { readonly children: string }) {
  return <p className="or-line">{children}</p>
}
