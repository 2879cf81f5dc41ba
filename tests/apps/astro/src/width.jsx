export function Width() {
  if (typeof window === 'undefined') throw new ReferenceError('a window is needed for its width')
  return <p>{window.innerWidth}</p>
}
