import { AppError } from '#platform/errors.ts'

/** The member's plans do not open it. */
export class AccessDeniedError extends AppError {
  constructor() {
    super('access-denied', 403, 'Your plan does not include this.')
  }
}

export class ContentNotFoundError extends AppError {
  constructor() {
    super('content-not-found', 404, 'There is no such content, or it was removed.')
  }
}

export class ContentGroupNotFoundError extends AppError {
  constructor() {
    super('content-group-not-found', 404, 'There is no such content group, or it was removed.')
  }
}

/** Another content group of the app has this key. */
export class ContentGroupExistsError extends AppError {
  constructor(key: string) {
    super('content-exists', 409, `There is a content group with the key '${key}' already.`)
  }
}

/** Something would lose the rule by which it opens. */
export class ContentGroupInUseError extends AppError {
  constructor({ articles, contents }: { articles: number; contents: number }) {
    super(
      'content-group-in-use',
      409,
      `It is in use: gated articles ${articles}, secure contents ${contents}. Give them another group first, or none.`,
    )
  }
}
