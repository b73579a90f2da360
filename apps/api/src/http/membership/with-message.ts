/** Returns a response body of the membership protocol with a message for the reader. */
export function withMessage<Data>(data: Data, message: string) {
  return { data, _internalUseOnly: { message } }
}
