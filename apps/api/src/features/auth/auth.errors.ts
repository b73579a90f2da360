import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/messages'
import { AppError } from '#platform/errors.ts'

/** One answer for an unknown address, a wrong password and an account that has none. */
export class InvalidCredentialsError extends AppError {
  constructor() {
    super('invalid-credentials', 401, 'The email or password is not right. Please try again.')
  }
}

/** Whoever is logged in did not give the password they have. Not 401: they are logged in all the same. */
export class WrongPasswordError extends AppError {
  constructor() {
    super('invalid-credentials', 400, 'Your current password is not right. Please try again.')
  }
}

export class NoPasswordSetError extends AppError {
  constructor() {
    super('no-password-set', 400, 'Your account has no password yet. Please set one first.')
  }
}

export class InvalidEmailError extends AppError {
  constructor() {
    super('invalid-email', 400, messages.invalidEmail)
  }
}

export class PasswordTooShortError extends AppError {
  constructor() {
    super('invalid-password-too-short', 400, messages.passwordTooShort)
  }
}

export class InvalidPasswordError extends AppError {
  constructor(message = `A password has at most ${limits.passwordCharacters.max} characters.`) {
    super('invalid-password', 400, message)
  }
}

export class EmailInUseError extends AppError {
  constructor() {
    super('email-already-in-use', 409, 'This email is in use already. Please log in, or take another one.')
  }
}

export class InvalidCaptchaError extends AppError {
  constructor() {
    super('invalid-captcha', 400, 'Please solve the captcha, and try again.')
  }
}

// Wrong, used, too old, or tried too often: which of these is nobody's business.
const wrongCode = 'This code is not right, or it holds no longer. Please ask for a new one.'

export class InvalidPasswordlessCodeError extends AppError {
  constructor() {
    super('invalid-passwordless-login-code', 400, wrongCode)
  }
}

export class InvalidResetCodeError extends AppError {
  constructor() {
    super('invalid-reset-code', 400, wrongCode)
  }
}

export class InvalidVerificationCodeError extends AppError {
  constructor() {
    super('invalid-verification-code', 400, wrongCode)
  }
}

export class PasswordlessDisabledError extends AppError {
  constructor() {
    super('passwordless-disabled', 403, 'Logging in by a code is not offered here. Please use your password.')
  }
}
