/** Texts that clients compare literally (ADR 0005). */
export const messages = {
  enterPassword: 'Please enter the password',
  invalidPassword: 'Invalid password',
  unexpected: 'An error occurred',
  configurationError: 'Configuration error',
  pleaseWait: 'Please wait...',
  loading: 'Loading...',
  chunkFailed: 'Loading chunk failed',
  entryBox: 'Enter a phone number or email',
  loggedIn: 'You have successfully logged in.',
  invalidToken: 'An invalid token has been provided. Please make sure the token is valid.',
  invalidEmail: 'Please enter a valid email address',
  passwordTooShort: 'Minimum 8 characters required',
  notAnImage: 'File is not an image.',
  imageTooLarge: 'Image must be less than 2MB.',
} as const
