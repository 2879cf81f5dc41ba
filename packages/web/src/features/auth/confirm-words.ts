/** Words that follow “Confirm it’s you to”. Pure. */

const WORDS: Readonly<Record<string, (subject: string | null) => string>> = {
  'account.app-begin': () => 'set up an authenticator app',
  'account.app-confirm': () => 'set up an authenticator app',
  'account.app-remove': () => 'remove your authenticator app',
  'account.passkey-add': () => 'add a passkey',
  'account.passkey-offer': () => 'add a passkey',
  'account.passkey-remove': () => 'remove a passkey',
  'account.passkey-rename': () => 'rename a passkey',
  'account.recovery-codes': () => 'create recovery codes',
  'member.invite': () => 'invite an owner',
  'member.remove': (member) => `remove ${member ?? 'a member'}`,
  'member.set-role': (member) => `change the role of ${member ?? 'a member'}`,
  'org.second-factor': () => 'change who needs a second factor',
  'project.delete': (project) => (project === null ? 'delete a project' : `delete the project ${project}`),
  'sign-in.remove': () => 'remove a sign-in method',
  'sign-in.save': () => 'change how people sign in',
  'token.create': () => 'create a token',
}

/** `null` for an action that asks nobody: nothing of an address is shown that Errata did not say itself. */
export function confirmWords(action: string | null, subject: string | null): string | null {
  return action !== null && Object.hasOwn(WORDS, action) ? (WORDS[action]?.(subject) ?? null) : null
}
