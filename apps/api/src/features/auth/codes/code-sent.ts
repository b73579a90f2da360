/** The response to a request for a code, the same whether or not the address has an account. */
export const codeSent = {
  data: { success: true },
  _internalUseOnly: { message: 'If the address can be used here, a code is on its way to it.' },
} as const
