/** Code of a bundle without the preloads that Vite writes around imports. Pure. */
const NAME = '[\\w$]+'
const SPECIFIER = '(?:"[^"]*"|\'[^\']*\'|`[^`]*`)'
const IMPORT = `(import\\(${SPECIFIER}\\)(?:\\.then\\(\\(${NAME}\\) => ${NAME}\\.${NAME}\\))?)`
/** An import as Vite wraps it: of some names, and of the whole file. With a relative base it has the file's address. */
const PRELOADED = new RegExp(
  `__vitePreload\\((?:async \\(\\) => \\{\\s*const \\{[^}]*\\} = await ${IMPORT};\\s*return \\{[^}]*\\};\\s*\\}|\\(\\) => ${IMPORT}), __VITE_PRELOAD__(?:, import\\.meta\\.url)?\\)`,
  'g',
)

/** Returns the code with each wrapped import as it was written. */
export function plainImports(code: string): string {
  return code.replaceAll(PRELOADED, (_, named, whole) => named ?? whole)
}
