import { AppError } from '#platform/errors.ts'

export class MemoNotFoundError extends AppError {
  constructor() {
    super('memo-not-found', 404, 'There is no such memo, or it was withdrawn.')
  }
}
