import { limits } from '@tidings/contracts/limits'
import { AppError } from '#platform/errors.ts'

/** There is no such comment, or whoever asks does not get to see it. */
export class CommentNotFoundError extends AppError {
  constructor() {
    super('comment-not-found', 404, 'There is no such comment, or it was taken down.')
  }
}

/** It is somebody else's. */
export class NotOwnCommentError extends AppError {
  constructor() {
    super('access-denied', 403, 'A comment can be changed and deleted by its author alone.')
  }
}

/** Nothing readable was written. */
export class EmptyCommentError extends AppError {
  constructor() {
    super('required-field-missing', 400, 'Please write something first.')
  }
}

/** More was written than a comment takes. */
export class CommentTooLongError extends AppError {
  constructor() {
    const most = limits.commentCharacters.toLocaleString('en-US')
    super('invalid-request', 400, `A comment has at most ${most} characters.`)
  }
}
