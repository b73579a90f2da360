import { messages } from '@tidings/contracts/messages'
import { AppError } from '#platform/errors.ts'

/** The member of a session is gone. */
export class MemberNotFoundError extends AppError {
  constructor() {
    super('member-not-found', 404, 'There is no such member.')
  }
}

/** The app does not let members delete their own accounts. */
export class SelfDeleteDisabledError extends AppError {
  constructor() {
    super('access-denied', 403, 'Please write to us to have your account deleted.')
  }
}

/** The upload is no picture. */
export class NotAnImageError extends AppError {
  constructor(cause?: unknown) {
    super('invalid-file-type', 400, messages.notAnImage, { cause })
  }
}

/** The message says 2MB and the check is 4 MB: both are the product's. */
export class ImageTooLargeError extends AppError {
  constructor() {
    super('file-size-too-large', 413, messages.imageTooLarge)
  }
}
