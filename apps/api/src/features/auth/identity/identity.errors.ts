import { AppError } from '#platform/errors.ts'

/** The provider is not one that this app offers. */
export class ProviderNotFoundError extends AppError {
  constructor() {
    super('provider-not-found', 404, 'This way to sign in is not offered here.')
  }
}

/** The sign-in elsewhere did not come to a good end. */
export class ConnectFailedError extends AppError {
  constructor(message: string, cause?: unknown) {
    super('account-connect-failed', 400, message, { cause })
  }
}

/** The address has an account, and the provider's word alone does not open it. */
export class UseEmailLoginError extends AppError {
  constructor() {
    super(
      'use-email-login',
      409,
      'This email has an account already. Please log in with it first; then you can connect the two.',
    )
  }
}

/** Nobody has signed up this way yet. */
export class AccountNotFoundError extends AppError {
  constructor() {
    super('account-not-found', 404, 'There is no account for this sign-in yet. Please sign up first.')
  }
}

export class AlreadyConnectedError extends AppError {
  constructor() {
    super('account-already-connected', 409, 'This sign-in is connected to an account already.')
  }
}

export class NotConnectedError extends AppError {
  constructor() {
    super('account-not-connected', 404, 'This sign-in is not connected to your account.')
  }
}

/** Without the provider there would be no way in any more. */
export class SetPasswordFirstError extends AppError {
  constructor() {
    super(
      'account-set-password-before-disconnect',
      409,
      'Please set a password first: without this sign-in you could not log in any more.',
    )
  }
}

export class ConnectRequiresLoginError extends AppError {
  constructor() {
    super('account-connect-requires-login', 401, 'Please log in before you connect another sign-in.')
  }
}
