type Stated<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & { readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined> }

/** Returns the fields that are stated: those that are `undefined` are left out. */
export function statedFields<T extends object>(fields: T): Stated<T>
export function statedFields(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
