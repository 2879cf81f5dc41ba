/** `2026.11.20-2` of `shop@2026.11.20-2`: what tells the releases of one project apart. Shortened. */
export function versionOf(release: string): string {
  const version = release.slice(release.lastIndexOf('@') + 1)
  return (version === '' ? release : version).slice(0, 24)
}
