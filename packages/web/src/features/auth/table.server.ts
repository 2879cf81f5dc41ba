/** Setting up, signing in and out, joining, a new password, and apps that ask to be connected. */
import { featureTable } from '#wire/app-tables.ts'
import {
  loadForgot,
  loadHome,
  loadJoin,
  loadJoinAccount,
  loadReset,
  loadSetup,
  loadSignIn,
  loadSignOut,
} from './auth.server.ts'
import {
  askForReset,
  join,
  joinAccount,
  joinSignedIn,
  resetPassword,
  setUp,
  signIn,
  signOut,
} from './auth-actions.server.ts'
import { authorizeApp, loadAuthorize } from './authorize.server.ts'
import { authFeature } from './feature.ts'
import {
  confirmByCode,
  confirmByPasskey,
  confirmByPassword,
  finishSignIn,
  loadConfirm,
  loadSecondStep,
  requestConfirmation,
  requestPasskey,
  signInByPasskey,
} from './proofs.server.ts'
import {
  beginProviderConfirm,
  beginProviderSignIn,
  beginProviderSignOut,
  finishProviderSignIn,
} from './provider-sign-in.server.ts'

export const authTable = featureTable({
  routes: authFeature.routes,
  loaders: {
    home: loadHome,
    setup: loadSetup,
    'sign-in': loadSignIn,
    'second-step': loadSecondStep,
    confirm: loadConfirm,
    authorize: loadAuthorize,
    'sign-out': loadSignOut,
    forgot: loadForgot,
    join: loadJoin,
    'join-account': loadJoinAccount,
    reset: loadReset,
  },
  actions: [
    ...[setUp, signIn, signOut, join, joinSignedIn, joinAccount, askForReset, resetPassword],
    ...[requestPasskey, signInByPasskey, finishSignIn],
    authorizeApp,
    ...[requestConfirmation, confirmByPasskey, confirmByCode, confirmByPassword],
  ],
  handlers: [
    { path: '/sign-in/with/:org/:kind', access: 'anyone', handle: beginProviderSignIn },
    { path: '/confirm/provider', access: 'signed-in', handle: beginProviderConfirm },
    { path: '/sign-in/back/:id/:kind', access: 'anyone', confirms: true, handle: finishProviderSignIn },
    { path: '/sign-in/out/:org/:kind', access: 'anyone', handle: beginProviderSignOut },
  ],
})
