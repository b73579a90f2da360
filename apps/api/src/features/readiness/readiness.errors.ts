import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'edition-not-found': (key: string) => [
    404,
    `The edition ${key} doesn’t exist. Create it with PUT /desk/v1/editions/${key}.`,
  ],
})
