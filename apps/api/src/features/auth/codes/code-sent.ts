/** What asking for a code answers: the same for every address, known or not. */
export const codeSent = {
  data: { success: true },
  _internalUseOnly: { message: 'If the address can be used here, a code is on its way to it.' },
} as const
