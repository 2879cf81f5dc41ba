/** Platforms a project can be made for; each has a snippet in `snippets.ts`. */
export const PLATFORMS = [
  { id: 'javascript-nextjs', name: 'Next.js' },
  { id: 'javascript-react-router', name: 'React Router' },
  { id: 'javascript-tanstackstart-react', name: 'TanStack Start' },
  { id: 'javascript-sveltekit', name: 'SvelteKit' },
  { id: 'javascript-nuxt', name: 'Nuxt' },
  { id: 'javascript-astro', name: 'Astro' },
  { id: 'node', name: 'Node' },
  { id: 'javascript-browser', name: 'Browser' },
  { id: 'python', name: 'Python' },
  { id: 'go', name: 'Go' },
  { id: '', name: 'Other' },
] as const

/** Returns a platform's name for people; for an id no project can be made for, empty text. */
export function platformName(id: string | null): string {
  return PLATFORMS.find((platform) => platform.id !== '' && platform.id === id)?.name ?? id ?? ''
}
