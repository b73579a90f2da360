import { AppError } from '#platform/errors.ts'

/**
 * One line of plain text: ends of lines and tabs become spaces. Throws `invalid-request` for other control characters
 * and for halves of characters, which the database cannot store.
 */
export function plainField(field: string, text: string): string {
  const line = text.replaceAll(/[\t\r\n]+/g, ' ')
  if (!/[\p{Cc}\p{Cs}]/u.test(line)) return line
  throw new AppError(
    'invalid-request',
    400,
    `${field}: must not hold control characters or halves of characters`,
  )
}
