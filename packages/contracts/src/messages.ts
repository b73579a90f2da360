/** Texts that spec 5 and 8 fix, letter for letter. */
export const messages = {
  enterPassword: 'Please enter the password',
  invalidPassword: 'Invalid password',
  unexpected: 'An error occurred',
  configurationError: 'Configuration error',
  pleaseWait: 'Please wait...',
  loading: 'Loading...',
  chunkFailed: 'Loading chunk failed',
  entryBox: 'Enter a phone number or email',
} as const
