import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import { createFail } from '#platform/errors.ts'

export const fail = createFail({
  'member-not-found': () => [404, 'This account doesn’t exist anymore.'],
  'access-denied': () => [403, 'Write to us to delete your account.'],
  'invalid-request': (field: string, problem: keyof typeof fieldProblems) => [
    400,
    `'${field}' ${fieldProblems[problem]}`,
  ],
  'invalid-file-type': (cause?: unknown) => [400, messages.notAnImage, { cause }],
  // NOTE: the message says 2MB and the limit is 4 MB (ADR 0005).
  'file-size-too-large': () => [413, messages.imageTooLarge],
  'required-field-missing': () => [400, "Send the image in the field 'profileImage'."],
  'invalid-file': (cause: unknown) => [
    400,
    "We couldn’t read this form. Send only the image, in the field 'profileImage'.",
    { cause },
  ],
  'media-not-found': () => [404, 'This image doesn’t exist anymore.'],
})

const fieldProblems = {
  text: 'must be text.',
  boolean: 'must be true or false.',
  length: `can have up to ${limits.customFieldCharacters.toLocaleString('en-US')} characters.`,
}
